import type { AsOf } from '../../model/as-of.ts';
import type { BundleGroup } from '../../model/derived.ts';
import { levelOf } from '../../model/finding-page.ts';
import type { JudgedClassification } from '../../model/fraud-review.ts';
import type { SignalListing } from '../../model/signal-listing.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';

/** What charts mark. */
export type MarkKind = 'launch' | 'migration' | 'bundle' | 'finding' | 'signal';

/** Something that happened to a token at a time. */
export interface ChartMark {
  /** Unique among the marks of a token. */
  readonly id: string;
  readonly kind: MarkKind;
  readonly timeMs: number;
  /** One sentence, of figures and words of this service alone: no text of the chain. */
  readonly text: string;
}

export interface MarkRange {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** Newest bundles of a token that are read. */
export const MARKED_BUNDLES_MAX = 200;
/** Newest signals of all tokens in the range that are read. */
export const MARKED_SIGNALS_MAX = 2_000;

type MarkDeps = Pick<ApiDeps, 'pools' | 'fraud' | 'bundles' | 'signals'>;

/**
 * What happened to a token in a range, oldest first: its launch and migration, bundles, reported
 * findings and signals. As of the earliest slot of these reads.
 */
export async function readChartMarks(
  deps: MarkDeps,
  token: TokenRecord,
  { fromMs, toMs }: MarkRange,
): Promise<AsOf<readonly ChartMark[]>> {
  const { mint } = token;
  const [pools, findings, bundles, signals] = await Promise.all([
    poolMarks(deps, token),
    deps.fraud.check({ mint, asOfSlot: null }),
    deps.bundles.groups({
      mint,
      orderDir: 'desc',
      offset: 0,
      limit: MARKED_BUNDLES_MAX,
      asOfSlot: null,
    }),
    deps.signals.list({
      fromMs,
      toMs: toMs - 1,
      model: null,
      limit: MARKED_SIGNALS_MAX,
      beforeRowId: null,
    }),
  ]);
  const marks = [
    ...pools,
    ...findings.data.map(findingMark),
    ...bundles.data.groups.flatMap(bundleMarks),
    ...signals.data.filter((signal) => signal.mint === mint).map(signalMark),
  ];
  const data = marks
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    .sort((one, other) => one.timeMs - other.timeMs || (one.id < other.id ? -1 : 1));
  const { slot, timeMs } = earliest([findings, bundles, signals]);
  return { slot, timeMs, data };
}

function earliest(reads: readonly AsOf<unknown>[]): AsOf<unknown> {
  return reads.reduce((one, other) => ((other.slot ?? 0) < (one.slot ?? 0) ? other : one));
}

/** The first liquidity, and the pool that its pool migrated to. */
async function poolMarks(
  { pools }: Pick<ApiDeps, 'pools'>,
  { liquidityEvent }: TokenRecord,
): Promise<readonly ChartMark[]> {
  if (liquidityEvent === null || liquidityEvent.timeMs === null) return [];
  const { pool, timeMs } = liquidityEvent;
  const launch: ChartMark = {
    id: `launch-${pool}`,
    kind: 'launch',
    timeMs,
    text: 'The first liquidity was added.',
  };
  const target = (await pools.find(pool))?.migratedTo ?? null;
  const migration = target === null ? null : await migrationMark(pools, target);
  return migration === null ? [launch] : [launch, migration];
}

async function migrationMark(pools: ApiDeps['pools'], pool: Address): Promise<ChartMark | null> {
  const target = await pools.find(pool);
  if (target === null || target.firstSeenMs === null) return null;
  return {
    id: `migration-${pool}`,
    kind: 'migration',
    timeMs: target.firstSeenMs,
    text: `The curve was full: trading moved to ${target.venue}.`,
  };
}

function findingMark({ classification }: JudgedClassification): ChartMark {
  const { id, finding, createdMs } = classification;
  const { fraudType, confidence } = finding;
  return {
    id: `finding-${id}`,
    kind: 'finding',
    timeMs: createdMs,
    text: `Finding ${fraudType}: confidence ${percent(confidence)} (${levelOf(confidence)}).`,
  };
}

function bundleMarks({ name, timeMs, level, certainty, members }: BundleGroup): ChartMark[] {
  if (timeMs === null) return [];
  const wallets = new Set(members.map(({ owner }) => owner)).size;
  const text =
    `${members.length} trades of ${wallets} wallets were placed together ` +
    `(level ${level}, certainty ${percent(certainty)}).`;
  return [{ id: `bundle-${name.slot}-${name.txIndex}`, kind: 'bundle', timeMs, text }];
}

function signalMark({ rowId, model, createdAtMs }: SignalListing): ChartMark {
  const text = `The model ${model} gave a signal.`;
  return { id: `signal-${rowId}`, kind: 'signal', timeMs: createdAtMs, text };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

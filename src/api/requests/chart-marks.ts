import type { AsOf } from '../../model/as-of.ts';
import type { BundleGroup } from '../../model/derived.ts';
import { levelOf } from '../../model/finding-page.ts';
import type { JudgedClassification } from '../../model/fraud-review.ts';
import { type RuleHit, ruleIdOf } from '../../model/rule-hit.ts';
import type { AskedAuthors } from '../../model/rule-hit-page.ts';
import type { SignalListing } from '../../model/signal-listing.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import { authorOf } from '../present/rule-author.ts';

/** What charts mark. */
export type MarkKind = 'launch' | 'migration' | 'bundle' | 'finding' | 'signal' | 'rule_hit';

/** Something that happened to a token at a time. */
export interface ChartMark {
  /** Unique among the marks of a token. */
  readonly id: string;
  readonly kind: MarkKind;
  readonly timeMs: number;
  /** One sentence, of figures, ids and words of this service alone: no text of the chain. */
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

/** Newest hits of rules for the token in the range that are read. */
export const MARKED_HITS_MAX = 500;

type Marks = AsOf<readonly ChartMark[]>;
type MarkDeps = Pick<ApiDeps, 'pools' | 'fraud' | 'bundles' | 'signals' | 'rules'>;

/**
 * What happened to a token in a range, oldest first: its launch and migration, bundles, reported
 * findings and signals, and hits of the rules of `authors`; null: none of rules. As of the earliest
 * slot of these reads.
 */
export async function readChartMarks(
  deps: MarkDeps,
  token: TokenRecord,
  range: MarkRange,
  authors: AskedAuthors | null,
): Promise<Marks> {
  const { fromMs, toMs } = range;
  const reads = await Promise.all([
    factMarks(deps, token),
    ...(authors?.isBuiltIn === false ? [] : [resultMarks(deps, token, range)]),
    ...(authors === null ? [] : [hitMarks(deps, token, range, authors.ofRules)]),
  ]);
  const data = reads
    .flatMap((read) => read.data)
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    .sort((one, other) => one.timeMs - other.timeMs || (one.id < other.id ? -1 : 1));
  const { slot, timeMs } = earliest(reads);
  return { slot, timeMs, data };
}

/** What happened on the chain. */
async function factMarks(
  deps: Pick<ApiDeps, 'pools' | 'bundles'>,
  token: TokenRecord,
): Promise<Marks> {
  const { mint } = token;
  const [pools, bundles] = await Promise.all([
    poolMarks(deps, token),
    deps.bundles.groups({
      mint,
      orderDir: 'desc',
      offset: 0,
      limit: MARKED_BUNDLES_MAX,
      asOfSlot: null,
    }),
  ]);
  return { ...bundles, data: [...pools, ...bundles.data.groups.flatMap(bundleMarks)] };
}

/** What the detectors and models of this service reported. */
async function resultMarks(
  deps: Pick<ApiDeps, 'fraud' | 'signals'>,
  { mint }: TokenRecord,
  { fromMs, toMs }: MarkRange,
): Promise<Marks> {
  const [findings, signals] = await Promise.all([
    deps.fraud.check({ mint, asOfSlot: null }),
    deps.signals.list({
      fromMs,
      toMs: toMs - 1,
      model: null,
      limit: MARKED_SIGNALS_MAX,
      beforeRowId: null,
    }),
  ]);
  const ofToken = signals.data.filter((signal) => signal.mint === mint);
  const data = [...findings.data.map(findingMark), ...ofToken.map(signalMark)];
  return { ...earliest([findings, signals]), data };
}

/** Where rules of these authors passed, those that give signals included. */
async function hitMarks(
  { rules }: Pick<ApiDeps, 'rules'>,
  { mint }: TokenRecord,
  { fromMs, toMs }: MarkRange,
  authors: readonly string[],
): Promise<Marks> {
  const read = await rules.hitPage({
    ...{ authors, kinds: null, levels: null, fromMs, toMs, mint, wallet: null },
    ...{ throughSlot: null, orderBy: 'detection', orderDir: 'desc', after: null },
    limit: MARKED_HITS_MAX,
  });
  return { ...read, data: read.data.hits.map(hitMark) };
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

function hitMark(hit: RuleHit): ChartMark {
  const { rowId, kind, confidence, createdAtMs } = hit;
  const text = `Rule ${ruleIdOf(hit)} (${authorOf(hit)}) passed: ${kind}, confidence ${percent(confidence)}.`;
  return { id: `rule_hit-${rowId}`, kind: 'rule_hit', timeMs: createdAtMs, text };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

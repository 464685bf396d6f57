import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HotReads } from '../../live-reads.ts';
import { fixed, integer, printTable } from '../../table.ts';
import { SLOT_MS } from '../market-options.ts';
import { type ReferenceKind, referenceDigest, referenceKindOf } from '../reference-digest.ts';
import { runScript } from '../reporting-process.ts';
import { UsageError } from '../usage-error.ts';
import { secondsAt } from './late-forecast.ts';
import type { LateFigures, LateOrder, LateReport, StoredHistory } from './late-order.ts';
import { PHASES, ReadPhases } from './read-phases.ts';

const READS_PER_SECOND = 50;
/** Swaps a second of mainnet: quiet, usual and busy days. */
const MAINNET_RATES = [750, 1_250, 2_000] as const;
/** With fewer swaps a slot, the time is that of slots, and says nothing of more swaps. */
const CALCULATED_FROM_SWAPS = 40;

/** The last line of a run. Null: not measured, or never. */
export interface LateResult {
  readonly lateMs: number;
  readonly swapsPerSecond: number;
  readonly visibleMs: number;
  readonly mergedMs: number;
  readonly refoldedSwaps: number;
  readonly refoldedPerSecond: number;
  readonly reads: number;
  readonly failedReads: number;
  readonly digestEqual: boolean | null;
  /** Of the engine with the digest that is compared. */
  readonly reference: ReferenceKind | null;
  /** Null: not calculated; a rate's null: never. */
  readonly calculatedSecondsAt: Readonly<Record<string, number | null>> | null;
}

/** What the process of the service reported. */
interface Reported {
  history?: StoredHistory;
  figures?: LateFigures;
  end?: { readonly digest: string; readonly swaps: number };
}

/**
 * Follows a market in a service of its own process until it has stored more than the given time,
 * delivers a slot so late, and measures until answers have it, and whether they go on meanwhile.
 */
export async function benchLate(order: LateOrder, isCompared: boolean): Promise<LateResult> {
  if (readdirSync(order.folder).length > 0)
    throw new UsageError(`the folder ${order.folder} is not empty`);
  const phases = new ReadPhases();
  const { history, figures, end } = await follow(order, phases);
  if (history === undefined || figures === undefined || end === undefined) {
    throw new Error('the process of the service did not report everything');
  }
  const { lateMs, options, stateMemoryBytes } = order;
  const reference = { options, swaps: end.swaps, stateMemoryBytes };
  const perSecond = (figures.swaps * 1_000) / (figures.foldedMs - figures.beganMs);
  const refold = { ...figures, spanMs: figures.slots * SLOT_MS, swapsPerSecond: perSecond };
  const rates = options.swapsPerSlot < CALCULATED_FROM_SWAPS ? [] : MAINNET_RATES;
  const calculated = rates.map((rate) => [rate, secondsAt(rate, refold)] as const);
  printFigures(history, figures, perSecond);
  printReads(phases);
  printCalculated(calculated);
  const during = (['refolding', 'merging'] as const).map((phase) => phases.of(phase));
  return {
    lateMs,
    swapsPerSecond: (options.swapsPerSlot * 1_000) / SLOT_MS,
    visibleMs: Math.round(figures.visibleMs),
    mergedMs: Math.round(figures.mergedMs),
    refoldedSwaps: figures.swaps,
    refoldedPerSecond: Math.round(perSecond),
    reads: during.reduce((sum, { reads }) => sum + reads, 0),
    failedReads: during.reduce((sum, { failed }) => sum + failed, 0),
    digestEqual: isCompared ? end.digest === referenceDigest(reference) : null,
    reference: isCompared ? referenceKindOf(end.swaps) : null,
    calculatedSecondsAt: rates.length === 0 ? null : secondsByRate(calculated),
  };
}

type Calculated = readonly (readonly [rate: number, seconds: number])[];

function secondsByRate(calculated: Calculated): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    calculated.map(([rate, seconds]) => [
      rate,
      Number.isFinite(seconds) ? Math.round(seconds) : null,
    ]),
  );
}

async function follow(order: LateOrder, phases: ReadPhases): Promise<Reported> {
  const reported: Reported = {};
  let reads: HotReads | null = null;
  const path = join(import.meta.dirname, 'late-process.ts');
  const { code, signal } = await runScript<LateReport>(path, order, (report) => {
    if (report.kind === 'stored') {
      reported.history = report.history;
      reads = readsOf(report.history, phases);
      void reads.run();
    } else if (report.kind === 'delivered') phases.phase = 'refolding';
    else if (report.kind === 'visible') phases.phase = 'merging';
    else if (report.kind === 'ended') reported.end = report;
    else {
      reported.figures = report.figures;
      phases.phase = 'over';
      reads?.stop();
    }
  });
  if (code !== 0) throw new Error(`the process of the service ended with ${code ?? signal}`);
  return reported;
}

function readsOf({ port, key, pools }: StoredHistory, phases: ReadPhases): HotReads {
  return new HotReads({
    url: `http://127.0.0.1:${port}`,
    keys: [key],
    perSecond: READS_PER_SECOND,
    pools: () => pools,
    onRead: (read) => phases.add(read),
  });
}

function printFigures(history: StoredHistory, figures: LateFigures, perSecond: number): void {
  const seconds = (ms: number) => fixed(ms / 1_000, 1);
  printTable('a late slot', [
    ['measure', 'value'],
    ['stored before: slots', integer(history.slots)],
    ['swaps', integer(history.swaps)],
    ['stored in, s', integer(history.seconds)],
    ['checkpoints', integer(history.checkpoints)],
    ['delivered → the first slot is folded again, s', seconds(figures.beganMs)],
    ['→ the last one is, s', seconds(figures.foldedMs)],
    ['→ answers have it, s', seconds(figures.visibleMs)],
    ['→ rows are in one layer, s', seconds(figures.mergedMs)],
    ['folded again: slots', integer(figures.slots)],
    ['swaps', integer(figures.swaps)],
    ['swaps a second', integer(perSecond)],
    ['slots that came meanwhile: latest by, s', seconds(figures.delayMs)],
    ['most memory (RSS), MiB', integer(figures.residentMiB)],
  ]);
}

function printReads(phases: ReadPhases): void {
  printTable(`reads, ${READS_PER_SECOND} a second`, [
    ['phase', 'reads', 'failed', 'p50 ms', 'p99 ms', 'longest ms'],
    ...PHASES.map((phase) => {
      const { reads, failed, p50Ms, p99Ms, longestMs } = phases.of(phase);
      const times = [p50Ms, p99Ms, longestMs].map((ms) => fixed(ms, 1));
      return [phase, integer(reads), integer(failed), ...times];
    }),
  ]);
}

function printCalculated(calculated: Calculated): void {
  if (calculated.length === 0) {
    console.log(
      '\nnot calculated for mainnet: with so few swaps a slot, the time is that of the slots',
    );
    return;
  }
  printTable('calculated from it, for as late a slot of mainnet', [
    ['swaps a second', 'seconds until answers have it'],
    ...calculated.map(([rate, seconds]) => [
      integer(rate),
      Number.isFinite(seconds) ? integer(seconds) : 'never: the chain takes all of the thread',
    ]),
  ]);
}

import type { ChainStatus, Coverage, Freshness, Readiness } from '../api/deps.ts';
import { type AnswerRange, type SlotGap, touchesGap } from '../model/slot-range.ts';
import type { Store } from '../store/store.ts';
import type { Ingestion } from './ingestion.ts';

/** A service that follows a chain and is further behind than this gets no work. */
const LAG_MAX_MS = 60_000;
/** Gaps that are named one by one. */
const NAMED_MAX = 5;

type Checks = Readiness['checks'];
type StoreStatus = Pick<Store, 'health' | 'gaps'>;

/** What is held, how fresh it is and whether the service may be given work. */
export function createChainStatus(
  store: StoreStatus,
  ingestion: Ingestion,
  nowMs: () => number,
): ChainStatus {
  return {
    freshness: (range) => freshnessOf(ingestion, range),
    readiness: () => readinessOf(store, ingestion, nowMs()),
    coverage: () => coverageOf(store, ingestion),
  };
}

function freshnessOf({ engine, gaps }: Ingestion, range: AnswerRange = {}): Freshness {
  return {
    slot: engine.lastSlot,
    timeMs: engine.lastSlot === null || engine.timeMs === 0 ? null : engine.timeMs,
    isComplete: !touchesGap(gaps, range),
  };
}

/** Open gaps are shown and keep no work away: what does not touch them is answered in full. */
async function readinessOf(
  store: StoreStatus,
  ingestion: Ingestion,
  nowMs: number,
): Promise<Readiness> {
  const health = await store.health();
  const lag = lagCheck(ingestion, nowMs);
  const checks: Checks = {
    store_writable: { ok: health.isWritable, detail: health.detail },
    store_readable: { ok: health.isReadable, detail: health.detail },
    source_lag: lag,
    gaps: gapCheck(ingestion.gaps),
  };
  return { isReady: health.isWritable && health.isReadable && lag.ok, checks };
}

function lagCheck(ingestion: Ingestion, nowMs: number): Checks[string] {
  const { isFollowing } = ingestion.status;
  if (!isFollowing) return { ok: true, detail: 'no chain is followed' };
  const { lagMs, lagSlots } = lagOf(ingestion, nowMs);
  if (lagMs === null) return { ok: false, detail: 'nothing has come from the source yet' };
  const slots = lagSlots === null ? '' : `, ${lagSlots} slots`;
  return { ok: lagMs <= LAG_MAX_MS, detail: `${lagMs} ms${slots} behind the chain` };
}

/** How far the newest slot folded is behind the clock, and behind what the source knows of. */
export function lagOf(
  { engine, status }: Ingestion,
  nowMs: number,
): { readonly lagMs: number | null; readonly lagSlots: number | null } {
  const { lastSlot, timeMs } = engine;
  const { headSlot } = status;
  return {
    lagMs: lastSlot === null || timeMs === 0 ? null : Math.max(0, Math.round(nowMs - timeMs)),
    lagSlots: lastSlot === null || headSlot === null ? null : Math.max(0, headSlot - lastSlot),
  };
}

function gapCheck(gaps: readonly SlotGap[]): Checks[string] {
  if (gaps.length === 0) return { ok: true, detail: 'none' };
  const named = gaps.slice(-NAMED_MAX).map(({ from, to, reason }) => `${from}-${to} (${reason})`);
  const earlier = gaps.length - named.length;
  const rest = earlier === 0 ? '' : `, and ${earlier} before`;
  return { ok: false, detail: `${gaps.length} open: ${named.join(', ')}${rest}` };
}

function coverageOf({ gaps: ledger }: StoreStatus, { engine, gaps, status }: Ingestion): Coverage {
  const { counters } = engine;
  return {
    firstSlot: engine.firstSlot,
    lastSlot: engine.lastSlot,
    finalSlot: status.finalSlot,
    slots: counters.slots,
    skippedSlots: ledger.counts.skipped,
    gaps,
    unlinkedSlots: counters.unlinkedSlots,
    transactions: counters.transactions,
    poolMovingTransactions: counters.poolMovingTransactions,
    explainedTransactions: counters.explainedTransactions,
    programs: counters.outcomes,
  };
}

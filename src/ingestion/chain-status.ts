import type { ChainStatus, Coverage, Freshness, Readiness } from '../api/deps.ts';
import { type AnswerRange, type SlotGap, touchesGap } from '../model/slot-range.ts';
import type { VenueAlarm } from '../model/venue-change.ts';
import type { BlockStreamStatus, NodeStatus } from '../sources/source-status.ts';
import type { Store } from '../store/store.ts';
import { alarmInWords } from './alarm-in-words.ts';
import type { Ingestion } from './ingestion.ts';
import type { IngestionStatus } from './ingestion-status.ts';

export interface ChainStatusOptions {
  /** A service that follows a chain and is further behind than this gets no work. */
  readonly lagMaxMs?: number;
  /** Programs that changed; none are looked for without it. */
  readonly venueAlarms?: () => readonly VenueAlarm[];
  /** Parts of the store that are damaged, in sentences. */
  readonly storeDamage?: () => readonly string[];
}

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
  {
    lagMaxMs = LAG_MAX_MS,
    venueAlarms = () => [],
    storeDamage = () => [],
  }: ChainStatusOptions = {},
): ChainStatus {
  return {
    freshness: (range) => freshnessOf(ingestion, range),
    readiness: async () => {
      const { isReady, checks } = await readinessOf(store, ingestion, nowMs(), lagMaxMs);
      const beside = { venues: venueCheck(venueAlarms()), store_whole: wholeCheck(storeDamage()) };
      return { isReady, checks: { ...checks, ...beside } };
    },
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

/** Programs that changed are shown and keep no work away: what is understood is answered in full. */
function venueCheck(alarms: readonly VenueAlarm[]): Checks[string] {
  if (alarms.length === 0) return { ok: true, detail: 'none changed' };
  return { ok: false, detail: alarms.map(alarmInWords).join('; ') };
}

/** Damage keeps no work away: reads that meet it fail, and all others are answered in full. */
function wholeCheck(damage: readonly string[]): Checks[string] {
  if (damage.length === 0) return { ok: true, detail: 'no damage is known' };
  return { ok: false, detail: `${damage.join(' ')} Restart the service to have it repaired.` };
}

/**
 * Open gaps and failing nodes are shown and keep no work away: what does not touch gaps is answered
 * in full, and when nobody brings blocks any more the lag says so. A chain that cannot be followed any
 * longer does: what is answered would only become older.
 */
async function readinessOf(
  store: StoreStatus,
  ingestion: Ingestion,
  nowMs: number,
  lagMaxMs: number,
): Promise<Readiness> {
  const health = await store.health();
  const lag = lagCheck(ingestion, nowMs, lagMaxMs);
  const checks: Checks = {
    store_writable: { ok: health.isWritable, detail: health.detail },
    store_readable: { ok: health.isReadable, detail: health.detail },
    source: sourceCheck(ingestion.status),
    source_lag: lag,
    gaps: gapCheck(ingestion.gaps),
  };
  return { isReady: health.isWritable && health.isReadable && lag.ok, checks };
}

function lagCheck(ingestion: Ingestion, nowMs: number, lagMaxMs: number): Checks[string] {
  const { isFollowing, stopReason } = ingestion.status;
  if (stopReason !== null) return { ok: false, detail: 'the chain is followed no longer' };
  if (!isFollowing) return { ok: true, detail: 'no chain is followed' };
  const { lagMs, lagSlots } = lagOf(ingestion, nowMs);
  if (lagMs === null) return { ok: false, detail: 'nothing has come from the source yet' };
  const slots = lagSlots === null ? '' : `, ${lagSlots} slots`;
  return { ok: lagMs <= lagMaxMs, detail: `${lagMs} ms${slots} behind the chain` };
}

/** In words and without addresses: how each node and the stream are. */
function sourceCheck({ source: status, stopReason }: IngestionStatus): Checks[string] {
  if (stopReason !== null) return { ok: false, detail: stopReason };
  if (status === null) return { ok: true, detail: 'no chain is followed' };
  const { nodes, stream, tipSlot } = status;
  const parts = nodes.map((node) => nodeInWords(node, tipSlot));
  const isAnyWell = nodes.some(({ state }) => state === 'well' || state === 'failing');
  if (stream !== null) parts.unshift(streamInWords(stream));
  return { ok: isAnyWell || stream?.isStreaming === true, detail: parts.join('; ') };
}

const STATE_IN_WORDS: Readonly<Record<NodeStatus['state'], string>> = {
  well: 'well',
  failing: 'failing',
  'left-alone': 'left alone after many failures',
  behind: 'far behind the others',
  'other-cluster': 'refused, being of another chain',
};

function nodeInWords(node: NodeStatus, chainTipSlot: number | null): string {
  const { label, state, tipSlot, requests, openRequests, failures } = node;
  const lag = tipSlot === null || chainTipSlot === null ? null : chainTipSlot - tipSlot;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const place = lag === null ? 'place unknown' : `${Math.max(0, lag)} slots behind`;
  return `${label}: ${STATE_IN_WORDS[state]}, ${place}, ${openRequests} requests open, ${failed} of ${requests} failed`;
}

function streamInWords({ origin, isStreaming, interruptions, lastEnd }: BlockStreamStatus): string {
  const end = isStreaming || lastEnd === null ? '' : `, last ended with "${lastEnd}"`;
  const state = isStreaming ? 'brings blocks' : 'silent';
  return `stream of ${origin}: ${state}, interrupted ${interruptions} times${end}`;
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
    swaps: counters.events.swap,
    inferredSwaps: counters.outcomes.inferred?.event ?? 0,
    inferredPrograms: [...counters.inferredPrograms].map(([program, swaps]) => ({
      program,
      swaps,
    })),
    programs: counters.outcomes,
  };
}

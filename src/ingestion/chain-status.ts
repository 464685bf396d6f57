import type {
  ChainStatus,
  Coverage,
  Freshness,
  Readiness,
  Standstill,
} from '../api/chain-status.ts';
import { formatInstant } from '../api/present/format-wire.ts';
import type { BlockStreamStatus, NodeStatus } from '../chain/source-status.ts';
import type { NowByTwo } from '../lib/steady-time.ts';
import type { OffchainSharing } from '../model/offchain-stream.ts';
import type { ReplicaAgreement } from '../model/replica-agreement.ts';
import { type AnswerRange, type SlotGap, touchesGap } from '../model/slot-range.ts';
import type { VenueAlarm } from '../model/venue-change.ts';
import type { Store, StoreHealth } from '../store/store.ts';
import { alarmInWords } from './alarm-in-words.ts';
import { lagInWords, lagOf } from './chain-lag.ts';
import { comparisonInWords } from './comparison-in-words.ts';
import type { Ingestion } from './ingestion.ts';
import type { IngestionStatus } from './ingestion-status.ts';
import { pacedDigest } from './paced-digest.ts';

export interface ChainStatusOptions {
  /** A service that follows a chain is not ready if it lags by more than this. */
  readonly lagMaxMs?: number;
  /** Monotonic time; `nowMs` by default. */
  readonly steadyNow?: () => number;
  /** Programs with decoding alarms; none by default. */
  readonly venueAlarms?: () => readonly VenueAlarm[];
  /** Damaged parts of the store, as sentences. */
  readonly storeDamage?: () => readonly string[];
  /** How the state compares with those of other replicas; null for a single process. */
  readonly agreement?: () => ReplicaAgreement | null;
  /** Who gathers off-chain data for all replicas; null for a process that shares none. */
  readonly gathering?: () => OffchainSharing | null;
}

const LAG_MAX_MS = 60_000;
/** Maximum number of gaps listed individually. */
const NAMED_MAX = 5;

type Checks = Readiness['checks'];
type StoreStatus = Pick<Store, 'health' | 'gaps'>;

/** Coverage, freshness and readiness of the service. */
export function createChainStatus(
  store: StoreStatus,
  ingestion: Ingestion,
  nowMs: () => number,
  {
    lagMaxMs = LAG_MAX_MS,
    steadyNow = nowMs,
    venueAlarms = () => [],
    storeDamage = () => [],
    agreement = () => null,
    gathering = () => null,
  }: ChainStatusOptions = {},
): ChainStatus {
  const readDigest = pacedDigest(ingestion, steadyNow);
  return {
    freshness: (range) => freshnessOf(ingestion, range),
    sinceSlotMs: () => ingestion.status.sinceSlotMs,
    standstill: () => standstillOf(ingestion),
    readiness: async () => {
      const now = { wallMs: nowMs(), steadyMs: steadyNow() };
      const { isReady, checks } = await readinessOf(store, ingestion, now, lagMaxMs);
      const others = { venues: venueCheck(venueAlarms()), store_whole: wholeCheck(storeDamage()) };
      const compared = agreement();
      const replicas = compared === null ? {} : { replicas: replicaCheck(compared) };
      return { isReady, checks: { ...checks, ...others, ...replicas } };
    },
    coverage: () => ({
      ...coverageOf(store, ingestion),
      state: readDigest(),
      digests: ingestion.recentDigests,
      agreement: agreement(),
      gathering: gathering(),
    }),
  };
}

function freshnessOf(ingestion: Ingestion, range: AnswerRange = {}): Freshness {
  const { engine, gaps, catchUp } = ingestion;
  const { lastSlot: slot } = engine;
  const timeMs = slot === null || engine.timeMs === 0 ? null : engine.timeMs;
  const ahead = range.isStored === true ? catchUp.storedAhead : null;
  const isComplete = standstillOf(ingestion) === null && !touchesGap(gaps, range);
  return { ...(ahead ?? { slot, timeMs }), isComplete };
}

/** Null while chain data is stored and followed normally, and where no chain is followed. */
export function standstillOf({ status }: Pick<Ingestion, 'status'>): Standstill | null {
  const { failure, stopReason, isContradicted } = status;
  // A restart makes no state right, and would interrupt the one that is being folded again.
  if (isContradicted) return { isLasting: false, isContradicted };
  if (stopReason !== null) return { isLasting: true };
  return failure === null ? null : { isLasting: false };
}

/** Program changes do not affect readiness: everything that is decoded is still returned. */
function venueCheck(alarms: readonly VenueAlarm[]): Checks[string] {
  if (alarms.length === 0) return { ok: true, detail: 'none changed' };
  return { ok: false, detail: alarms.map(alarmInWords).join('; ') };
}

/** A contradicted replica follows the chain no more, which is what makes it unready. */
function replicaCheck({ state, slot, others }: ReplicaAgreement): Checks[string] {
  if (state === 'alone') return { ok: true, detail: 'no other replica was compared yet' };
  const names = (isEqual: boolean) =>
    others
      .filter((one) => one.isEqual === isEqual)
      .map(({ name }) => name)
      .join(', ') || 'none';
  const detail = `${state} after slot ${slot}: equal ${names(true)}; different ${names(false)}`;
  return { ok: state === 'agreed', detail };
}

/** Damage does not affect readiness: only reads of damaged parts fail. */
function wholeCheck(damage: readonly string[]): Checks[string] {
  if (damage.length === 0) return { ok: true, detail: 'no damage is known' };
  return { ok: false, detail: `${damage.join(' ')} Restart the service to have it repaired.` };
}

/**
 * Open gaps and failing nodes do not affect readiness: responses outside the gaps are complete, and
 * the lag shows missing blocks. A chain that is no longer followed does, because responses would
 * become outdated.
 */
async function readinessOf(
  store: StoreStatus,
  ingestion: Ingestion,
  now: NowByTwo,
  lagMaxMs: number,
): Promise<Readiness> {
  const health = await store.health();
  const lag = lagCheck(ingestion, now, lagMaxMs);
  const checks = {
    store_writable: writableCheck(health, ingestion.status),
    store_readable: { ok: health.isReadable, detail: health.detail },
    source: sourceCheck(ingestion.status),
    source_lag: lag,
    gaps: gapCheck(ingestion.gaps),
  } satisfies Checks;
  const isTrusted = !ingestion.status.isContradicted;
  const isReady = checks.store_writable.ok && health.isReadable && lag.ok && isTrusted;
  const { catchUp, engine } = ingestion;
  if (catchUp.isDone) return { isReady, checks };
  const end = catchUp.storedAhead === null ? '' : ` of ${catchUp.storedAhead.slot}`;
  const detail = `the stored log is being applied, as after each start; slot ${engine.lastSlot}${end} is reached`;
  return { isReady: false, checks: { ...checks, log_applied: { ok: false, detail } } };
}

/** The failure, its start, and the number of attempts. */
function writableCheck(
  { isWritable, detail }: StoreHealth,
  { failure }: IngestionStatus,
): Checks[string] {
  if (failure === null) return { ok: isWritable, detail };
  const { reason, sinceMs, attempts } = failure;
  const tries = attempts === 1 ? 'once' : `${attempts} times`;
  return { ok: false, detail: `since ${formatInstant(sinceMs)}, tried ${tries}: ${reason}` };
}

function lagCheck(ingestion: Ingestion, now: NowByTwo, lagMaxMs: number): Checks[string] {
  const { isFollowing, stopReason } = ingestion.status;
  if (stopReason !== null) return { ok: false, detail: 'the chain is no longer followed' };
  if (!isFollowing) return { ok: true, detail: 'no chain is followed' };
  const lag = lagOf(ingestion, now);
  return { ok: lag.lagMs !== null && lag.lagMs <= lagMaxMs, detail: lagInWords(lag) };
}

/** State of each node and of the stream, without addresses. */
function sourceCheck({ source: status, stopReason, suspension }: IngestionStatus): Checks[string] {
  const reason = stopReason ?? suspension;
  if (reason !== null) return { ok: false, detail: reason };
  if (status === null) return { ok: true, detail: 'no chain is followed' };
  const { nodes, stream, tipSlot } = status;
  const parts = nodes.map((node) => nodeInWords(node, tipSlot));
  const isAnyWell = nodes.some(({ state }) => ANSWERING.has(state));
  if (stream !== null) parts.unshift(streamInWords(stream));
  const compared = comparisonInWords(status);
  if (compared !== null) parts.push(compared);
  return { ok: isAnyWell || stream?.isStreaming === true, detail: parts.join('; ') };
}

/** States of nodes that deliver blocks. */
const ANSWERING: ReadonlySet<NodeStatus['state']> = new Set(['well', 'failing', 'refuted']);

const STATE_IN_WORDS: Readonly<Record<NodeStatus['state'], string>> = {
  well: 'well',
  failing: 'failing',
  'left-alone': 'paused after many failures',
  behind: 'far behind the others',
  refuted: 'returned an incorrect block and is used last',
  'other-cluster': 'rejected, belongs to another chain',
};

function nodeInWords(node: NodeStatus, chainTipSlot: number | null): string {
  const { label, state, tipSlot, requests, openRequests, failures } = node;
  const lag = tipSlot === null || chainTipSlot === null ? null : chainTipSlot - tipSlot;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const position = lag === null ? 'position unknown' : `${Math.max(0, lag)} slots behind`;
  return `${label}: ${STATE_IN_WORDS[state]}, ${position}, ${openRequests} requests open, ${failed} of ${requests} failed`;
}

function streamInWords({ origin, isStreaming, interruptions, lastEnd }: BlockStreamStatus): string {
  const end = isStreaming || lastEnd === null ? '' : `, last ended with "${lastEnd}"`;
  const state = isStreaming ? 'brings blocks' : 'silent';
  return `stream of ${origin}: ${state}, interrupted ${interruptions} times${end}`;
}

function gapCheck(gaps: readonly SlotGap[]): Checks[string] {
  if (gaps.length === 0) return { ok: true, detail: 'none' };
  const named = gaps.slice(-NAMED_MAX).map(({ from, to, reason }) => `${from}-${to} (${reason})`);
  const earlier = gaps.length - named.length;
  const rest = earlier === 0 ? '' : `, and ${earlier} before`;
  return { ok: false, detail: `${gaps.length} open: ${named.join(', ')}${rest}` };
}

function coverageOf(
  { gaps: ledger }: StoreStatus,
  ingestion: Ingestion,
): Omit<Coverage, 'state' | 'digests' | 'agreement' | 'gathering'> {
  const { engine, gaps, status, stateStatus, logStart } = ingestion;
  const { counters } = engine;
  return {
    firstSlot: engine.firstSlot,
    lastSlot: engine.lastSlot,
    finalSlot: status.finalSlot,
    logStart,
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
    stateStatus,
    timeMs: engine.timeMs,
  };
}

import { knownTimeMs, type Moment } from '../../fold/market/logical-time.ts';
import { absolute } from '../../lib/decimal.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { Outcome } from '../../model/signal.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import type { EndedMinute } from '../books/indicator-minutes.ts';
import type { ReadMinute, SignalUpdates } from '../signals/signal-watch.ts';
import type { EngineState } from '../state/engine-state.ts';
import { readMinuteFacts, readPoolDepth } from './read-minute-facts.ts';

const NO_UPDATES: SignalUpdates = { signals: [], outcomes: [], ruleHits: [] };

/**
 * Evaluates the models for an ended minute, before anything of the next slot is applied. `onPause` is
 * called after the facts of each pool are read, and before each is judged.
 */
export function foldMinuteEnd(
  state: EngineState,
  minute: EndedMinute | null,
  at: Moment,
  onPause: () => void,
): SignalUpdates {
  const timeMs = knownTimeMs(at);
  if (minute === null || timeMs === null) return NO_UPDATES;
  const pools = new Map<Address, ReadMinute>();
  for (const { record } of minute.indicators) {
    const facts = readMinuteFacts(state, record);
    if (facts === null) continue;
    const depth = readPoolDepth(state.books, facts.pool, record.createdAtMs ?? minute.minuteMs);
    pools.set(record.pool, { facts, depth });
    onPause();
  }
  return state.signals.endMinute(minute.minuteMs, { slot: at.slot, timeMs }, pools, onPause);
}

/** The inputs of signals from a slot, after its prices are settled and its traders are scored. */
export interface SignalSlot {
  readonly swaps: readonly PricedSwap[];
  /** By swap of an eligible smart trader: the trader's score at the trade, divided by 100. */
  readonly smartWeights: ReadonlyMap<Swap, number>;
  /** Pools that changed in the slot. */
  readonly pools: readonly PoolRecord[];
}

/** Applies the slot's trades and prices; returns the outcomes that changed. */
export function foldSignals(state: EngineState, slot: SignalSlot, at: Moment): Outcome[] {
  for (const priced of slot.swaps) noteTrade(state, priced, slot.smartWeights);
  return slot.pools.flatMap((pool) => notePrice(state, pool, at));
}

/** Each outcome once, in its latest version, in order of number. */
export function lastOutcomes(outcomes: readonly Outcome[]): Outcome[] {
  const byNumber = new Map(outcomes.map((outcome) => [outcome.rowId, outcome]));
  return [...byNumber.values()].sort((one, other) => one.rowId - other.rowId);
}

function noteTrade(
  { books, signals }: EngineState,
  { swap, exclusion, timeMs, isTimeKnown, valueUsd, isOrganic }: PricedSwap,
  smartWeights: SignalSlot['smartWeights'],
): void {
  if (!isTimeKnown || exclusion === 'quarantined') return;
  // A suspected spike sets no price until it is cleared: a high counts for six hours.
  const priceUsd = exclusion === null ? (books.prices.priceOf(swap.pool)?.priceUsd ?? null) : null;
  signals.noteTrade({
    pool: swap.pool,
    timeMs,
    side: swap.side,
    wallet: swap.trader,
    baseRaw: asRawAmount(absolute(swap.poolBaseDelta)),
    valueUsd,
    priceUsd,
    isOrganic,
    smartWeight: smartWeights.get(swap) ?? 0,
  });
}

/** Applies prices only for mints with followed signals, and only from their primary pool. */
function notePrice({ books, signals }: EngineState, pool: PoolRecord, at: Moment): Outcome[] {
  const { baseMint: mint, priceUsd } = pool;
  if (priceUsd === null || !signals.isFollowing(mint)) return [];
  if (books.tokens.get(mint)?.primaryPool !== pool.pool) return [];
  const { slot, timeMs } = at;
  const depth = readPoolDepth(books, pool, timeMs);
  return signals.notePrice({
    mint,
    slot,
    timeMs,
    priceUsd,
    lastSwapMs: pool.lastSwapMs ?? timeMs,
    depth,
  });
}

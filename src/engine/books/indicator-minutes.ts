import { readIndicators } from '../../fold/indicators/indicators.ts';
import type { PoolState } from '../../fold/market/pool-state.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { IndicatorMinute, IndicatorRecord } from '../../model/indicators.ts';
import type { Slot } from '../../model/units.ts';
import type { Books } from './books.ts';
import { insidersOf } from './insiders.ts';
import type { WalletBooks } from './wallet-books.ts';

const MINUTE_MS = 60_000;

/** The point in time that indicators describe. */
export interface IndicatorTime {
  readonly slot: Slot;
  /** Null while no block time is known. */
  readonly timeMs: number | null;
}

/** A minute of logical time that has ended. */
export interface EndedMinute {
  /** Start of the minute. */
  readonly minuteMs: number;
  /** One per pool traded in the minute, ordered by address. */
  readonly indicators: readonly IndicatorMinute[];
}

/** The indicators of a pool as of the last slot applied to the books. */
export function indicatorsOf(
  books: Books,
  walletBooks: WalletBooks,
  pool: PoolState,
  { slot, timeMs }: IndicatorTime,
): IndicatorRecord {
  const supplyRaw = books.tokens.get(pool.baseMint)?.supplyRaw ?? null;
  const isInsider = insidersOf({ books, walletBooks }, pool.baseMint);
  return readIndicators(walletBooks, pool, {
    slot,
    nowMs: timeMs,
    mintOriginMs: walletBooks.positions.originMs(pool.baseMint),
    rawHolders: books.holders.count(pool.baseMint, supplyRaw),
    isSmartHolder: (wallet) =>
      walletBooks.smart.weightOf(wallet, timeMs ?? 0) !== null &&
      books.holders.isHolder(pool.baseMint, wallet, supplyRaw) &&
      !isInsider(wallet),
  });
}

/**
 * Detects the end of a minute of logical time and computes the indicators of the pools traded in
 * it. Call before a slot is applied, while the books still have the state of the minute's end.
 */
export class IndicatorMinutes {
  private readonly progress: StateValue<{ last: IndicatorTime | null }>;
  private readonly undo: UndoLog;

  constructor(undo: UndoLog) {
    this.undo = undo;
    this.progress = new StateValue({ last: null }, undo, 'indicator minutes');
  }

  /**
   * Returns the minute that ended before `next`; null when `next` is in the same minute. `onPause` is
   * called after each pool.
   */
  take(
    books: Books,
    walletBooks: WalletBooks,
    next: IndicatorTime,
    onPause: () => void,
  ): EndedMinute | null {
    const progress = this.progress.now;
    const { last } = progress;
    this.undo.keep(progress);
    // A slot of unknown time is not earlier than the previous one: it stays in that minute.
    progress.last = { slot: next.slot, timeMs: next.timeMs ?? last?.timeMs ?? null };
    if (last?.timeMs == null || next.timeMs === null) return null;
    const minuteMs = startOfMinute(last.timeMs);
    if (startOfMinute(next.timeMs) === minuteMs) return null;
    const indicators: IndicatorMinute[] = [];
    for (const address of walletBooks.poolWallets.takeTradedPools()) {
      const pool = books.pools.get(address);
      if (pool === undefined) continue;
      indicators.push({ minuteMs, record: indicatorsOf(books, walletBooks, pool, last) });
      onPause();
    }
    walletBooks.smartFlows.dropExpired(next.timeMs);
    return { minuteMs, indicators };
  }
}

function startOfMinute(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
}

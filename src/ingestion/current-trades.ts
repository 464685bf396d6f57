import {
  positionOf,
  type Trade,
  type TradedSwap,
  type TradePage,
  type TradePosition,
  type TradeQuery,
} from '../model/trade.ts';
import type { SwapRange } from '../store/reads/trade-sql.ts';
import type { StoredTrades } from '../store/reads/trades.ts';
import { isInRange, isUserTradeListed, scopeOf } from './trade-filter.ts';
import type { CurrentTradeLabels } from './trade-labels.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';
import { type TradeContext, toTrade, toUserTrades } from './user-trades.ts';

/** More swaps than one transaction has: it may execute 64 instructions. */
const TRANSACTION_SWAPS_MAX = 128;
/** Swaps that a page of users' trades reads at a time, and in total. */
const SWAPS_PER_READ_MAX = 1_000;
const SWAPS_READ_MAX = 10_000;

export interface TradeSources {
  readonly stored: Pick<StoredTrades, 'newest'>;
  /** Frozen: what is not written is read first, and the store may be written meanwhile. */
  readonly unwritten: UnwrittenRows;
  readonly labels: Pick<CurrentTradeLabels, 'of'>;
  /** Slots up to this one cannot be reverted, whether or not they are written. */
  readonly finalSlot: number;
}

interface Portion {
  readonly swaps: readonly TradedSwap[];
  readonly next: TradePosition | null;
}

/** Trades up to the newest slot: unwritten swaps, and after them the stored ones of earlier slots. */
export class CurrentTrades {
  private readonly sources: TradeSources;

  constructor(sources: TradeSources) {
    this.sources = sources;
  }

  /**
   * One page, newest first. A page of users' trades may have fewer than `limit` trades although more
   * follow, when few of the swaps that it has read match.
   */
  page(query: TradeQuery): Promise<TradePage> {
    return query.view === 'user' ? this.ofUsers(query) : this.ofSwaps(query);
  }

  private async ofSwaps(query: TradeQuery): Promise<TradePage> {
    const { before, limit } = query;
    const found = await this.newest(this.rangeOf(query), before, limit + 1);
    const swaps = found.slice(0, limit);
    const context = await this.contextOf(swaps);
    const trades = swaps.map((swap) => toTrade(swap, context));
    const last = swaps.at(-1);
    return { trades, next: found.length > limit && last !== undefined ? positionOf(last) : null };
  }

  private async ofUsers(query: TradeQuery): Promise<TradePage> {
    const { limit } = query;
    const trades: Trade[] = [];
    let next: TradePosition | null = null;
    for await (const portion of this.wholeTransactions(query)) {
      const { swaps } = portion;
      const made = toUserTrades(swaps, await this.contextOf(swaps));
      trades.push(...made.filter((trade) => isUserTradeListed(trade, query)));
      if (trades.length > limit) return pageOf(trades.slice(0, limit));
      next = portion.next;
    }
    return { trades, next };
  }

  /**
   * The swaps from the query's position on in portions of whole transactions, up to a maximum. `next`
   * is the position after a portion; null after the oldest swap.
   */
  private async *wholeTransactions(query: TradeQuery): AsyncGenerator<Portion> {
    const { before, limit } = query;
    const filter = { side: null, valueUsdMin: null, class: 'all' } as const;
    const range = { ...this.rangeOf(query), ...filter };
    const perRead = Math.min(SWAPS_PER_READ_MAX, 2 * limit + TRANSACTION_SWAPS_MAX);
    let from = before === null ? null : afterTransaction(before);
    for (let read = 0; read < SWAPS_READ_MAX; read += perRead) {
      const found = await this.newest(range, from, perRead);
      if (found.length < perRead) {
        yield { swaps: found, next: null };
        return;
      }
      const swaps = withoutLastTransaction(found);
      const last = swaps.at(-1);
      if (last === undefined) throw new RangeError('one transaction has too many swaps');
      from = beforeTransaction(positionOf(last));
      yield { swaps, next: from };
    }
  }

  private rangeOf(query: TradeQuery): SwapRange {
    return { ...query, beforeSlot: this.sources.unwritten.firstSlot };
  }

  private async newest(
    range: SwapRange,
    before: TradePosition | null,
    limit: number,
  ): Promise<TradedSwap[]> {
    const { stored, unwritten } = this.sources;
    const recent: TradedSwap[] = [];
    for (const swap of unwritten.trades(scopeOf(range))) {
      if (!isInRange(swap, range, before)) continue;
      recent.push(swap);
      if (recent.length === limit) return recent;
    }
    return [...recent, ...(await stored.newest(range, before, limit - recent.length))];
  }

  private async contextOf(swaps: readonly TradedSwap[]): Promise<TradeContext> {
    const { labels, finalSlot, unwritten } = this.sources;
    const { firstSlot } = unwritten;
    const lastStored = firstSlot === null ? Number.POSITIVE_INFINITY : firstSlot - 1;
    return { labels: await labels.of(swaps), finalSlot: Math.max(finalSlot, lastStored) };
  }
}

/** `trades`: not empty. */
function pageOf(trades: readonly Trade[]): TradePage {
  const { timeMs, slot, txIndex, outerIx, innerIx, pool } = trades.at(-1) as Trade;
  return { trades, next: { timeMs, slot, txIndex, outerIx, innerIx, pool } };
}

/** Newest first: only the last transaction may continue after the list. */
function withoutLastTransaction(swaps: readonly TradedSwap[]): TradedSwap[] {
  const last = swaps.at(-1);
  return swaps.filter(({ slot, txIndex }) => slot !== last?.slot || txIndex !== last.txIndex);
}

/** Positions after and before every swap of a transaction. */
function afterTransaction(position: TradePosition): TradePosition {
  return { ...position, outerIx: OUTER_IX_MAX, innerIx: INNER_IX_MAX };
}

function beforeTransaction(position: TradePosition): TradePosition {
  return { ...position, outerIx: 0, innerIx: INNER_IX_MIN };
}

/** The limits of the columns; a transaction has far fewer instructions. */
const OUTER_IX_MAX = 65_535;
const INNER_IX_MAX = 32_767;
const INNER_IX_MIN = -32_768;

import { UndoLog } from '../../lib/undo-log.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';
import { PoolPrice, type RobustPrice } from './pool-price.ts';
import { SANDWICH_SLOTS } from './sandwich.ts';
import type { Settlement, SettlingTrade } from './settling-trade.ts';
import { SPIKE_SPAN_MS } from './spike.ts';

export interface PriceSettlement extends Settlement {
  /** Pools whose robust price changed, in order of change. Read the price with `priceOf`. */
  readonly repriced: readonly Address[];
}

/** What identifies a trade. */
export type TradeIdentity = Pick<PricedSwap, 'signature'> & {
  readonly swap: Pick<Swap, 'pool' | 'outerIx' | 'innerIx'>;
};

/** Maximum of pools whose price is kept. */
const POOLS_MAX = 200_000;
/** Number of processed entries that may remain in the queue before it is compacted. */
const QUEUE_SLACK = 1_024;

/**
 * Labels trades by their neighbouring trades and maintains the robust price of each pool
 * (METHODS §5.3).
 *
 * Call `applySwap` for the swaps of a slot in log order, then `closeSlot`, for every slot. A trade
 * is unsettled, and its label can change, for four slots and ten seconds, or until its pool has 64
 * newer trades. Robust prices change when a slot closes and never show a spike: a move of more than
 * 25 % from the previous traded slot is accepted after the next traded slot or after ten seconds.
 */
export class RobustPriceBook {
  private readonly pools = new Map<Address, PoolPrice>();
  private readonly poolsMax: number;
  private traded = new Set<PoolPrice>();
  /** Trades of all pools in order of arrival; settled ones are skipped. */
  private readonly queue: { trades: SettlingTrade[]; start: number } = { trades: [], start: 0 };
  private readonly undo: UndoLog;
  private relabelled = new Set<SettlingTrade>();
  private settled: SettlingTrade[] = [];
  // The undo record in which the length of the queue was saved. Not part of the state.
  #record = 0;
  private readonly journal = {
    relabelled: (trade: SettlingTrade) => this.relabelled.add(trade),
    settled: (trade: SettlingTrade) => this.settled.push(trade),
  };

  constructor(options: { readonly poolsMax?: number } = {}, undo = new UndoLog()) {
    this.undo = undo;
    this.poolsMax = options.poolsMax ?? POOLS_MAX;
  }

  /**
   * Applies the next swap in log order. The returned trade carries the preliminary label. A swap
   * that is excluded by itself is settled immediately, so dust cannot displace other unsettled
   * trades.
   */
  applySwap(priced: PricedSwap): SettlingTrade {
    if (priced.exclusion !== null) return this.applyExcluded(priced);
    const address = priced.swap.pool;
    let pool = this.pools.get(address);
    if (pool === undefined) {
      pool = new PoolPrice(address, this.journal, this.undo);
      this.undo.map(this.pools, address);
      this.pools.set(address, pool);
    }
    const trade = pool.applySwap(priced);
    this.traded.add(pool);
    this.keepQueue();
    this.queue.trades.push(trade);
    return trade;
  }

  /** Closes a slot; call it also for a slot without swaps. `timeMs` is its logical time. */
  closeSlot(slot: Slot, timeMs: number): PriceSettlement {
    const repriced = new Set<Address>();
    for (const pool of this.traded) {
      if (pool.closeSlot()) repriced.add(pool.pool);
    }
    this.settleUntil(slot, timeMs, repriced);
    this.forgetIdle();
    const settlement = {
      relabelled: [...this.relabelled],
      settled: this.settled,
      repriced: [...repriced],
    };
    this.traded = new Set();
    this.relabelled = new Set();
    this.settled = [];
    return settlement;
  }

  /** The price as of the last closed slot; null before the first trade that may set one. */
  priceOf(pool: Address): RobustPrice | null {
    return this.pools.get(pool)?.price ?? null;
  }

  /** False while a price jump of the pool waits to be confirmed, as of the last closed slot. */
  isFinal(pool: Address): boolean {
    return this.pools.get(pool)?.isFinal ?? true;
  }

  /** A trade whose label can still change, by signature and place. */
  unsettled({ signature, swap }: TradeIdentity): SettlingTrade | null {
    const { pool, outerIx, innerIx } = swap;
    const found = this.pools.get(pool)?.unsettledTrades.find(({ priced }) => {
      if (priced.signature !== signature) return false;
      return priced.swap.outerIx === outerIx && priced.swap.innerIx === innerIx;
    });
    return found ?? null;
  }

  /** Number of pools in memory. */
  get size(): number {
    return this.pools.size;
  }

  /** One row per pool in address order. */
  *digestRows(): Iterable<string> {
    for (const address of [...this.pools.keys()].sort()) {
      const pool = this.pools.get(address);
      if (pool !== undefined) yield pool.digestRow();
    }
  }

  /** Saves the length of the queue, once per undo record, before trades are added. */
  private keepQueue(): void {
    const { record } = this.undo;
    if (this.#record === record) return;
    this.#record = record;
    this.undo.length(this.queue.trades);
  }

  private applyExcluded(priced: PricedSwap): SettlingTrade {
    const { exclusion, swap } = priced;
    if (exclusion === 'pure_arbitrage' || exclusion === 'atomic_round_trip') {
      this.pools.get(swap.pool)?.applyPassing(swap);
    }
    return { priced, isSettled: true, sideRank: 0 };
  }

  private settleUntil(slot: Slot, timeMs: number, repriced: Set<Address>): void {
    const { queue } = this;
    const { trades } = queue;
    let { start } = queue;
    for (; start < trades.length; start++) {
      const trade = trades[start] as SettlingTrade;
      if (trade.isSettled) continue;
      const { priced } = trade;
      if (slot - priced.slot < SANDWICH_SLOTS || timeMs - priced.timeMs < SPIKE_SPAN_MS) break;
      // The queue and the pool have the same order, so this is the pool's oldest trade.
      const pool = this.pools.get(priced.swap.pool);
      pool?.settleOldest();
      if (pool?.release()) repriced.add(pool.pool);
    }
    if (start === queue.start) return;
    this.undo.keep(queue);
    queue.start = start;
    if (start > QUEUE_SLACK && start * 2 > trades.length) {
      queue.trades = trades.slice(start);
      queue.start = 0;
    }
  }

  /**
   * Above the limit, removes the pools that traded longest ago, down to 90 % of the limit, but
   * never a pool with unsettled trades. Ties are resolved by address.
   */
  private forgetIdle(): void {
    if (this.pools.size <= this.poolsMax) return;
    const idle = [...this.pools.values()].filter((pool) => pool.isIdle);
    idle.sort(byLastTrade);
    const excess = this.pools.size - Math.floor(this.poolsMax * 0.9);
    for (const { pool } of idle.slice(0, excess)) {
      this.undo.map(this.pools, pool);
      this.pools.delete(pool);
    }
  }
}

function byLastTrade(one: PoolPrice, other: PoolPrice): number {
  if (one.lastSlot !== other.lastSlot) return one.lastSlot - other.lastSlot;
  return one.pool < other.pool ? -1 : 1;
}

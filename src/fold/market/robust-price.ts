import { UndoLog } from '../../lib/undo-log.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { Address, Slot } from '../../model/units.ts';
import { PoolPrice, type RobustPrice } from './pool-price.ts';
import { SANDWICH_SLOTS } from './sandwich.ts';
import type { Settlement, SettlingTrade } from './settling-trade.ts';
import { SPIKE_SPAN_MS } from './spike.ts';

export interface PriceSettlement extends Settlement {
  /** Pools whose robust price changed, in order of change: read it with `priceOf`. */
  readonly repriced: readonly Address[];
}

/** Pools whose price is remembered. */
const POOLS_MAX = 200_000;
/** Part of the queue that may be read already before it is cut off. */
const QUEUE_SLACK = 1_024;

/**
 * Labels trades by their neighbours and keeps the robust price of each pool (METHODS §5.3).
 *
 * Call `applySwap` for the swaps of a slot in log order, then `closeSlot`, for every slot. A trade
 * is unsettled, its label open, for four slots and ten seconds, or until 64 newer ones of its pool
 * came. Robust prices change when a slot closes and never show a spike: a move of more than
 * 25 % against the traded slot before stands once the next traded slot came or ten seconds passed.
 */
export class RobustPriceBook {
  private readonly pools = new Map<Address, PoolPrice>();
  private readonly poolsMax: number;
  private traded = new Set<PoolPrice>();
  /** Trades of all pools by arrival; settled ones are skipped. */
  private readonly queue: { trades: SettlingTrade[]; start: number } = { trades: [], start: 0 };
  private readonly undo: UndoLog;
  private relabelled = new Set<SettlingTrade>();
  private settled: SettlingTrade[] = [];
  // The record of changes that knows how long the queue was: no part of the state.
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
   * Takes the next swap in log order. The trade's `priced` is its label as known so far; one that
   * the swap alone excludes is settled at once, so that dust cannot push others out.
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

  /** Ends a slot, also one without swaps. `timeMs` is its logical time. */
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

  /** As of the last closed slot; null before the first trade that may set a price. */
  priceOf(pool: Address): RobustPrice | null {
    return this.pools.get(pool)?.price ?? null;
  }

  /** False while a jump of a pool's price waits to be confirmed; as of the last closed slot. */
  isFinal(pool: Address): boolean {
    return this.pools.get(pool)?.isFinal ?? true;
  }

  /** Pools in memory. */
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

  /** Before trades are added: how many there were, once in a record. */
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
      // Oldest first here as in its pool, so that it is the pool's oldest.
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
   * Over the bound, forgets the pools that have not traded for longest, a tenth at a time; never
   * one with unsettled trades. The address decides between equals.
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

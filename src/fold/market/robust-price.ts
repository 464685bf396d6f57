import { AddressIds } from '../../lib/address-ids.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { QUEUED_WORDS_MAX, WordQueue } from '../../lib/word-queue.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';
import { PoolPrice, type PriceJournal } from './pool-price.ts';
import { POOL_PRICE_STATE, type RobustPrice } from './pool-price-state.ts';
import { SANDWICH_SLOTS } from './sandwich.ts';
import { type Settlement, type SettlingTrade, settledTrade } from './settling-trade.ts';
import { SPIKE_SPAN_MS } from './spike.ts';

export interface PriceSettlement extends Settlement {
  /** Pools whose robust price changed, in order of change. Read the price with `priceOf`. */
  readonly repriced: readonly Address[];
}

/** What identifies a trade. */
export type TradeIdentity = Pick<PricedSwap, 'signature'> & {
  readonly swap: Pick<Swap, 'pool' | 'outerIx' | 'innerIx'>;
};

/**
 * Maximum of trades in the queue, also of those that are settled but newer than an unsettled one:
 * days of trades, if no block time is known by which they could be settled. Half of what it can
 * have, so that a slot never exceeds that.
 */
const QUEUE_MAX = QUEUED_WORDS_MAX / 2;

/**
 * Labels trades by their neighbouring trades and maintains the robust price of each pool
 * (METHODS §5.3).
 *
 * Call `applySwap` for the swaps of a slot in log order, then `closeSlot`, for every slot. A trade
 * is unsettled, and its label can change, for four slots and ten seconds, or until its pool has 64
 * newer trades, or all pools two million. Robust prices change when a slot closes and never show a
 * spike: a move of more than 25 % from the previous traded slot is accepted after the next traded
 * slot or after ten seconds.
 *
 * A pool owns its unsettled trades. Only within a slot may others refer to them other than by number.
 */
export class RobustPriceBook {
  private readonly ids: AddressIds<Address>;
  private readonly pools: ObjectMap<PoolPrice>;
  /** The pool of each trade in order of arrival; positions are the numbers of the trades. */
  private readonly queue: WordQueue;
  private traded = new Set<PoolPrice>();
  private relabelled = new Set<SettlingTrade>();
  private settled: SettlingTrade[] = [];
  private readonly journal: PriceJournal = {
    relabelled: (trade) => this.relabelled.add(trade),
    settled: (trade) => this.settled.push(trade),
  };
  private readonly undo: UndoLog;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(undo = new UndoLog(), ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.ids = ids;
    const format = {
      name: POOL_PRICE_STATE.name,
      encode: (pool: PoolPrice) => POOL_PRICE_STATE.encode(pool.state),
      decode: (text: string) =>
        PoolPrice.restore(POOL_PRICE_STATE.decode(text), this.journal, undo),
    };
    this.pools = new ObjectMap(format, undo, 'pool prices');
    this.queue = new WordQueue(undo, 'unsettled trades');
  }

  /**
   * Applies the next swap in log order. The returned trade carries the preliminary label. A swap
   * that is excluded by itself is settled immediately, so dust cannot displace other unsettled
   * trades.
   */
  applySwap(priced: PricedSwap): SettlingTrade {
    if (priced.exclusion !== null) return this.applyExcluded(priced);
    const id = this.ids.idOf(priced.swap.pool);
    const pool = this.ensure(id, priced.swap.pool);
    this.traded.add(pool);
    return pool.applySwap(priced, this.queue.push(id));
  }

  /** Closes a slot; call it also for a slot without swaps. `timeMs` is its logical time. */
  closeSlot(slot: Slot, timeMs: number): PriceSettlement {
    const repriced = new Set<Address>();
    for (const pool of this.traded) {
      if (pool.closeSlot()) repriced.add(pool.pool);
    }
    this.settleUntil(slot, timeMs, repriced);
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
    return this.find(pool)?.price ?? null;
  }

  /** False while a price jump of the pool waits to be confirmed, as of the last closed slot. */
  isFinal(pool: Address): boolean {
    return this.find(pool)?.isFinal ?? true;
  }

  /** A trade whose label can still change, by signature and place. */
  unsettled({ signature, swap }: TradeIdentity): SettlingTrade | null {
    const { pool, outerIx, innerIx } = swap;
    const found = this.find(pool)?.unsettledTrades.find(({ priced }) => {
      if (priced.signature !== signature) return false;
      return priced.swap.outerIx === outerIx && priced.swap.innerIx === innerIx;
    });
    return found ?? null;
  }

  /** Number of pools with a trade that may set a price. */
  get size(): number {
    return this.pools.size;
  }

  /** Numbers of pools that changed without being marked as changed. For tests. */
  unannounced(): number[] {
    return this.pools.unannounced();
  }

  private find(pool: Address): PoolPrice | undefined {
    const id = this.ids.find(pool);
    return id === -1 ? undefined : this.pools.get(id);
  }

  /** A pool that is about to change. */
  private ensure(id: number, address: Address): PoolPrice {
    const known = this.pools.get(id);
    if (known !== undefined) return this.traded.has(known) ? known : this.pools.changing(id);
    const pool = new PoolPrice(address, this.journal, this.undo);
    this.pools.set(id, pool);
    return pool;
  }

  private applyExcluded(priced: PricedSwap): SettlingTrade {
    const { exclusion, swap } = priced;
    if (exclusion === 'pure_arbitrage' || exclusion === 'atomic_round_trip') {
      const id = this.ids.find(swap.pool);
      if (id !== -1 && this.pools.get(id)?.isIdle === false) {
        this.pools.changing(id).applyPassing(swap);
      }
    }
    return settledTrade(priced);
  }

  private settleUntil(slot: Slot, timeMs: number, repriced: Set<Address>): void {
    const { queue } = this;
    for (let id = queue.peek(); id !== undefined; id = queue.peek()) {
      const oldest = this.pools.get(id)?.oldest;
      // The queue and the pool have the same order: otherwise the trade was settled before.
      if (oldest?.number === queue.first) {
        const { priced } = oldest;
        const isOld =
          slot - priced.slot >= SANDWICH_SLOTS && timeMs - priced.timeMs >= SPIKE_SPAN_MS;
        if (!isOld && queue.size <= QUEUE_MAX) break;
        const pool = this.pools.changing(id);
        pool.settleOldest();
        if (pool.release()) repriced.add(pool.pool);
      }
      queue.shift();
    }
  }
}

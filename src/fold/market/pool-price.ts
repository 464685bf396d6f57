import { UndoLog } from '../../lib/undo-log.ts';
import type { UndoStep } from '../../lib/undo-steps.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, PriceE18, Slot } from '../../model/units.ts';
import type { PendingJump, PoolPriceState, RobustPrice } from './pool-price-state.ts';
import { SandwichWatch } from './sandwich.ts';
import { mayPrice, relabel, type SettlingTrade } from './settling-trade.ts';
import { isSpike, latestTradedSlots, mayBeSpike, type TradedSlot } from './spike.ts';
import { confirms, isJump, isThin } from './thin-jump.ts';

/** Maximum of unsettled trades per pool. One more settles the oldest, regardless of its age. */
export const UNSETTLED_TRADES_MAX = 64;

/** Receives the decisions of a pool about its trades. */
export interface PriceJournal {
  relabelled(trade: SettlingTrade): void;
  settled(trade: SettlingTrade): void;
}

/** The unsettled trades of one pool with their labels, and the resulting price. */
export class PoolPrice {
  readonly pool: Address;
  private readonly journal: PriceJournal;
  private readonly unsettled: SettlingTrade[] = [];
  /** Null while there are no unsettled trades. */
  private sandwiches: SandwichWatch | null = null;
  private readonly undo: UndoLog;
  private pendingJump: PendingJump | null = null;
  /** The last settled trade that may set a price. */
  private settledPrice: RobustPrice | null = null;
  private published: RobustPrice | null = null;
  /** The newest slot may be a spike, so the price before it stays published. */
  private isWithheld = false;
  // The undo record that saved this object, or in which it was created. Not part of the state.
  #record: number;

  constructor(pool: Address, journal: PriceJournal, undo = new UndoLog()) {
    this.pool = pool;
    this.journal = journal;
    this.undo = undo;
    this.#record = undo.record;
  }

  static restore(stored: PoolPriceState, journal: PriceJournal, undo: UndoLog): PoolPrice {
    const { pool, unsettled, sandwiches, ...prices } = stored;
    const restored = new PoolPrice(pool, journal, undo);
    // It exists without being created in the open record.
    restored.#record = 0;
    Object.assign(restored, prices);
    for (const trade of unsettled) restored.unsettled.push({ ...trade, isSettled: false });
    if (sandwiches !== null) {
      restored.sandwiches = SandwichWatch.restore(sandwiches, restored.unsettled, undo);
    }
    return restored;
  }

  /** The state to store; `restore` returns an equal object for it. */
  get state(): PoolPriceState {
    const { pool, unsettled, pendingJump, settledPrice, published, isWithheld } = this;
    const sandwiches = this.sandwiches?.stateOf(unsettled) ?? null;
    return { pool, unsettled, sandwiches, pendingJump, settledPrice, published, isWithheld };
  }

  /** In trade order. */
  get unsettledTrades(): readonly SettlingTrade[] {
    return this.unsettled;
  }

  get price(): RobustPrice | null {
    return this.published;
  }

  /** False while a price jump waits to be confirmed by another trade or by time. */
  get isFinal(): boolean {
    return !this.isWithheld && this.pendingJump === null;
  }

  get isIdle(): boolean {
    return this.unsettled.length === 0;
  }

  /** The oldest unsettled trade. */
  get oldest(): SettlingTrade | undefined {
    return this.unsettled[0];
  }

  /** Applies the next swap that may set a price, and gives its trade this number. */
  applySwap(priced: PricedSwap, number: number): SettlingTrade {
    this.keep();
    this.sandwiches ??= new SandwichWatch(this.undo);
    const { trade, front } = this.sandwiches.applyTrade(priced, number);
    if (front === null) {
      this.judgeJump(trade);
    } else {
      this.exclude(front, 'sandwich_leg');
      relabel(trade, 'sandwich_leg');
    }
    this.unsettled.push(trade);
    if (this.unsettled.length > UNSETTLED_TRADES_MAX) this.settleOldest();
    return trade;
  }

  /** Applies a swap that is part of a larger trade: it may be the victim of a sandwich. */
  applyPassing(swap: Swap): void {
    this.sandwiches?.applyPassing(swap);
  }

  /** Ends a slot in which the pool traded. Returns true when the robust price changed. */
  closeSlot(): boolean {
    const slots = latestTradedSlots(this.unsettled);
    const [after, middle, before] = slots;
    if (after !== undefined && middle !== undefined && before !== undefined) {
      if (isSpike(before, middle, after)) {
        this.excludeSlot(middle.slot);
        slots.splice(1, 1);
      }
    }
    return this.publish(slots);
  }

  settleOldest(): void {
    const [trade] = this.unsettled;
    if (trade === undefined) return;
    this.keep();
    this.undo.step(OLDEST_TRADE, this.unsettled, trade);
    this.unsettled.shift();
    trade.isSettled = true;
    if (mayPrice(trade)) this.settledPrice = toRobustPrice(trade.priced) ?? this.settledPrice;
    this.sandwiches?.forget(trade);
    if (this.isIdle) this.sandwiches = null;
    this.journal.settled(trade);
  }

  /** Re-evaluates a price that is withheld as a possible spike. Returns true when it changed. */
  release(): boolean {
    return this.isWithheld && this.publish(latestTradedSlots(this.unsettled));
  }

  /** A thin pool needs trades of two slots to move by more than 50 % (METHODS §5.3). */
  private judgeJump(trade: SettlingTrade): void {
    const { price, slot } = trade.priced;
    const last = this.lastPrice();
    if (price === null) return;
    if (last === null || !isJump(last, price) || !isThin(trade.priced)) {
      this.pendingJump = null;
      return;
    }
    if (confirms(this.pendingJump, price, slot)) {
      this.pendingJump = null;
      this.acceptJump(price);
      return;
    }
    this.pendingJump = { price, slot };
    relabel(trade, 'thin_jump');
  }

  /** Re-admits the earlier trades near the confirmed price. */
  private acceptJump(price: PriceE18): void {
    for (let index = this.unsettled.length - 1; index >= 0; index--) {
      const trade = this.unsettled[index] as SettlingTrade;
      const { exclusion, price: jumped } = trade.priced;
      if (exclusion === null) return;
      if (exclusion !== 'thin_jump' || jumped === null || isJump(jumped, price)) continue;
      this.undo.keep(trade);
      relabel(trade, null);
      this.journal.relabelled(trade);
    }
  }

  private exclude(trade: SettlingTrade, exclusion: 'sandwich_leg' | 'spike'): void {
    if (!mayPrice(trade)) return;
    this.undo.keep(trade);
    relabel(trade, exclusion);
    this.journal.relabelled(trade);
  }

  private excludeSlot(slot: Slot): void {
    for (const trade of this.unsettled) {
      if (trade.priced.slot === slot) this.exclude(trade, 'spike');
    }
  }

  private publish([newest, before]: readonly TradedSlot[]): boolean {
    this.keep();
    this.isWithheld = newest !== undefined && before !== undefined && mayBeSpike(before, newest);
    const price = this.lastAllowed(this.isWithheld && newest !== undefined ? newest.slot : null);
    const { published } = this;
    this.published = price;
    return price?.price !== published?.price || price?.priceUsd !== published?.priceUsd;
  }

  /** Saves all mutable fields, once per undo record, before the first change. */
  private keep(): void {
    const { undo, sandwiches, pendingJump, settledPrice, published, isWithheld } = this;
    const { record } = undo;
    if (record === 0 || this.#record === record) return;
    this.#record = record;
    undo.fields(this, { sandwiches, pendingJump, settledPrice, published, isWithheld });
    undo.length(this.unsettled);
  }

  private lastPrice(): PriceE18 | null {
    for (let index = this.unsettled.length - 1; index >= 0; index--) {
      const trade = this.unsettled[index] as SettlingTrade;
      if (mayPrice(trade)) return trade.priced.price;
    }
    return this.settledPrice?.price ?? null;
  }

  /** The price of the last trade that may set one; with `beforeSlot`, only of earlier slots. */
  private lastAllowed(beforeSlot: Slot | null): RobustPrice | null {
    for (let index = this.unsettled.length - 1; index >= 0; index--) {
      const trade = this.unsettled[index] as SettlingTrade;
      if (!mayPrice(trade) || (beforeSlot !== null && trade.priced.slot >= beforeSlot)) continue;
      return toRobustPrice(trade.priced);
    }
    return this.settledPrice;
  }
}

/** The trades had one more at the front, which was not settled. */
const OLDEST_TRADE: UndoStep<[unsettled: SettlingTrade[], trade: SettlingTrade]> = {
  revert(unsettled, trade) {
    trade.isSettled = false;
    unsettled.unshift(trade);
  },
  repeater: (unsettled, trade) => () => {
    unsettled.shift();
    trade.isSettled = true;
  },
};

function toRobustPrice(priced: PricedSwap): RobustPrice | null {
  const { price, priceUsd, quoteChain, slot, timeMs } = priced;
  return price === null ? null : { price, priceUsd, quoteChain, slot, timeMs };
}

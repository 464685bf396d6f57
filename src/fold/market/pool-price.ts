import { UndoLog } from '../../lib/undo-log.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { QuoteChain } from '../../model/quote-chain.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, PriceE18, Slot } from '../../model/units.ts';
import { SandwichWatch } from './sandwich.ts';
import { mayPrice, relabel, type SettlingTrade } from './settling-trade.ts';
import { isSpike, latestTradedSlots, mayBeSpike, type TradedSlot } from './spike.ts';
import { confirms, isJump, isThin, type PendingJump } from './thin-jump.ts';

/** The last executed price of a pool that was allowed to set a price. */
export interface RobustPrice {
  /** Quote per base. */
  readonly price: PriceE18;
  /** At the USD price that the quote had in the trade's own slot; null when that was unknown. */
  readonly priceUsd: PriceE18 | null;
  /** What that price hangs on. */
  readonly quoteChain: QuoteChain | null;
  readonly slot: Slot;
  readonly timeMs: number;
}

/** Unsettled trades of a pool; one more settles the oldest, whatever its age. */
export const UNSETTLED_TRADES_MAX = 64;

/** Where the pool reports what it decided about its trades. */
export interface PriceJournal {
  relabelled(trade: SettlingTrade): void;
  settled(trade: SettlingTrade): void;
}

/** One pool's unsettled trades, their labels, and the price that follows from them. */
export class PoolPrice {
  readonly pool: Address;
  private readonly journal: PriceJournal;
  private readonly unsettled: SettlingTrade[] = [];
  /** Null while no trade is unsettled: then there is nobody to watch. */
  private sandwiches: SandwichWatch | null = null;
  private readonly undo: UndoLog;
  private pendingJump: PendingJump | null = null;
  /** The last settled trade that may set a price. */
  private settledPrice: RobustPrice | null = null;
  private published: RobustPrice | null = null;
  /** The newest slot jumped so far that it may be a spike, so the price before it stands. */
  private isHeld = false;
  private slot = 0 as Slot;
  // The record of changes that has its image, or that it began in: no part of the state.
  #record: number;

  constructor(pool: Address, journal: PriceJournal, undo = new UndoLog()) {
    this.pool = pool;
    this.journal = journal;
    this.undo = undo;
    this.#record = undo.record;
  }

  get price(): RobustPrice | null {
    return this.published;
  }

  /** False while a jump of the price waits for another trade, or for time, to confirm it. */
  get isFinal(): boolean {
    return !this.isHeld && this.pendingJump === null;
  }

  /** Slot of its last trade that could set a price when it came. */
  get lastSlot(): Slot {
    return this.slot;
  }

  get isIdle(): boolean {
    return this.unsettled.length === 0;
  }

  /** Takes the next swap that may set a price. */
  applySwap(priced: PricedSwap): SettlingTrade {
    this.keep();
    this.slot = priced.slot;
    this.sandwiches ??= new SandwichWatch(this.undo);
    const { trade, front } = this.sandwiches.applyTrade(priced);
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

  /** Takes a swap that is part of a larger trade: others may have been made around it. */
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
    this.undo.step(putBackOldest, this.unsettled, trade);
    this.unsettled.shift();
    trade.isSettled = true;
    if (mayPrice(trade)) this.settledPrice = toRobustPrice(trade.priced) ?? this.settledPrice;
    this.sandwiches?.forget(trade);
    if (this.isIdle) this.sandwiches = null;
    this.journal.settled(trade);
  }

  /** Looks again at a price that was held back. Returns true when it changed. */
  release(): boolean {
    return this.isHeld && this.publish(latestTradedSlots(this.unsettled));
  }

  digestRow(): string {
    const { settledPrice, published, pendingJump } = this;
    const waiting = this.unsettled.map(({ priced }) =>
      [
        priced.slot,
        priced.txIndex,
        priced.swap.outerIx,
        priced.swap.innerIx,
        priced.exclusion,
        priced.setsTokenPrice,
      ].join(':'),
    );
    return [
      'price',
      this.pool,
      published === null ? '' : `${published.price}:${published.priceUsd}:${published.slot}`,
      settledPrice === null ? '' : `${settledPrice.price}:${settledPrice.slot}`,
      pendingJump === null ? '' : `${pendingJump.price}:${pendingJump.slot}`,
      ...waiting,
    ].join(' ');
  }

  /** Thin pools need two trades of different slots to move by more than half (METHODS §5.3). */
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

  /** The trades that jumped first were right. */
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
    this.isHeld = newest !== undefined && before !== undefined && mayBeSpike(before, newest);
    const price = this.lastAllowed(this.isHeld && newest !== undefined ? newest.slot : null);
    const { published } = this;
    this.published = price;
    return price?.price !== published?.price || price?.priceUsd !== published?.priceUsd;
  }

  /** Before the first change in a record: all that may change, once. */
  private keep(): void {
    const { undo, sandwiches, pendingJump, settledPrice, published, isHeld, slot } = this;
    const { record } = undo;
    if (record === 0 || this.#record === record) return;
    this.#record = record;
    undo.fields(this, { sandwiches, pendingJump, settledPrice, published, isHeld, slot });
    undo.length(this.unsettled);
  }

  private lastPrice(): PriceE18 | null {
    for (let index = this.unsettled.length - 1; index >= 0; index--) {
      const trade = this.unsettled[index] as SettlingTrade;
      if (mayPrice(trade)) return trade.priced.price;
    }
    return this.settledPrice?.price ?? null;
  }

  /** The last trade that may set a price, of slots before `beforeSlot` when that is given. */
  private lastAllowed(beforeSlot: Slot | null): RobustPrice | null {
    for (let index = this.unsettled.length - 1; index >= 0; index--) {
      const trade = this.unsettled[index] as SettlingTrade;
      if (!mayPrice(trade) || (beforeSlot !== null && trade.priced.slot >= beforeSlot)) continue;
      return toRobustPrice(trade.priced);
    }
    return this.settledPrice;
  }
}

function putBackOldest(unsettled: SettlingTrade[], trade: SettlingTrade): void {
  trade.isSettled = false;
  unsettled.unshift(trade);
}

function toRobustPrice(priced: PricedSwap): RobustPrice | null {
  const { price, priceUsd, quoteChain, slot, timeMs } = priced;
  return price === null ? null : { price, priceUsd, quoteChain, slot, timeMs };
}

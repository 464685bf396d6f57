import { absolute } from '../../lib/decimal.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { type Described, plain, record } from '../../model/codec.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { Side, Swap } from '../../model/swap.ts';
import type { Address } from '../../model/units.ts';
import type { SettlingTrade } from './settling-trade.ts';

/** A leader has four consecutive slots, so both legs of a sandwich are within four slots. */
export const SANDWICH_SLOTS = 4;
/** The back leg's base amount differs from the front's by at most 1 / 100. */
const BASE_MATCH = 100n;

/** What a watch remembers, as it is stored with the unsettled trades of its pool. */
export const SANDWICH_STATE = record({
  buys: plain<number>(),
  sells: plain<number>(),
  /** Indexes of trades among the unsettled ones: the last trade of each trader, if it may lead. */
  lasts: plain<readonly number[]>(),
});

export interface SandwichState extends Described<typeof SANDWICH_STATE> {}

/**
 * Detects the legs of sandwiches on one pool (METHODS §0.9), in O(1) per trade: it keeps the last
 * trade of each trader, and running counts of buys and sells show whether others traded in between.
 * It keeps no more traders than the pool has unsettled trades.
 */
export class SandwichWatch {
  private readonly lastByTrader = new Map<Address, SettlingTrade>();
  private readonly counts = { buy: 0, sell: 0 };
  private readonly undo: UndoLog;
  // The undo record that saved the counts, or in which they were created.
  #record: number;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
    this.#record = undo.record;
  }

  /** A watch with the state that `stateOf` returned for a pool with these unsettled trades. */
  static restore(
    { buys, sells, lasts }: SandwichState,
    unsettled: readonly SettlingTrade[],
    undo: UndoLog,
  ): SandwichWatch {
    const watch = new SandwichWatch(undo);
    // It exists without being created in the open record.
    watch.#record = 0;
    watch.counts.buy = buys;
    watch.counts.sell = sells;
    for (const index of lasts) {
      const trade = unsettled[index];
      const trader = trade?.priced.swap.trader ?? null;
      if (trade !== undefined && trader !== null) watch.lastByTrader.set(trader, trade);
    }
    return watch;
  }

  stateOf(unsettled: readonly SettlingTrade[]): SandwichState {
    const lasts: number[] = [];
    for (const [index, trade] of unsettled.entries()) {
      if (this.isLast(trade)) lasts.push(index);
    }
    return { buys: this.counts.buy, sells: this.counts.sell, lasts };
  }

  /**
   * Applies the pool's next trade that may set a price, which is given this number. Returns the
   * front leg if this trade is the back leg of a sandwich, else null. A trade is a leg of at most
   * one sandwich.
   */
  applyTrade(
    priced: PricedSwap,
    number: number,
  ): { trade: SettlingTrade; front: SettlingTrade | null } {
    const { side, trader } = priced.swap;
    if (trader === null) {
      const trade = { number, priced, isSettled: false, sideRank: this.countUp(side) };
      return { trade, front: null };
    }
    const last = this.lastByTrader.get(trader);
    const front = last !== undefined && this.isSandwich(last, priced) ? last : null;
    const trade = { number, priced, isSettled: false, sideRank: this.countUp(side) };
    this.undo.map(this.lastByTrader, trader);
    if (front === null) this.lastByTrader.set(trader, trade);
    else this.lastByTrader.delete(trader);
    return { trade, front };
  }

  /** Applies a trade that is part of a larger one: it may be a victim, but never a leg. */
  applyPassing({ side, trader }: Swap): void {
    this.countUp(side);
    if (trader === null) return;
    this.undo.map(this.lastByTrader, trader);
    this.lastByTrader.delete(trader);
  }

  /** Removes a settled trade. */
  forget(trade: SettlingTrade): void {
    const { trader } = trade.priced.swap;
    if (trader === null || !this.isLast(trade)) return;
    this.undo.map(this.lastByTrader, trader);
    this.lastByTrader.delete(trader);
  }

  private isLast(trade: SettlingTrade): boolean {
    const { trader } = trade.priced.swap;
    return trader !== null && this.lastByTrader.get(trader) === trade;
  }

  private isSandwich(front: SettlingTrade, back: PricedSwap): boolean {
    const { swap, slot } = front.priced;
    if (swap.side === back.swap.side || back.slot - slot >= SANDWICH_SLOTS) return false;
    // None of these is by the trader itself, because the front is its last trade.
    const victims = this.counts[swap.side] - front.sideRank;
    return victims > 0 && isSameSize(swap, back.swap) && profitOf(swap, back.swap) > 0n;
  }

  private countUp(side: Side): number {
    const { undo, counts } = this;
    const { record } = undo;
    if (record !== 0 && this.#record !== record) {
      this.#record = record;
      undo.fields(counts, { buy: counts.buy, sell: counts.sell });
    }
    return ++this.counts[side];
  }
}

function isSameSize(front: Swap, back: Swap): boolean {
  // The signs are opposite, so the sum is the difference.
  const difference = front.poolBaseDelta + back.poolBaseDelta;
  const size = front.poolBaseDelta;
  return absolute(difference) * BASE_MATCH <= absolute(size);
}

/** The trader's profit in quote; from the pool's side, without fees, if the trader's is unknown. */
function profitOf(front: Swap, back: Swap): bigint {
  if (front.traderQuoteDelta !== null && back.traderQuoteDelta !== null) {
    return front.traderQuoteDelta + back.traderQuoteDelta;
  }
  return -(front.poolQuoteDelta + back.poolQuoteDelta);
}

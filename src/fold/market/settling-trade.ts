import type { PricedSwap, PriceExclusion } from '../../model/derived.ts';

/** A trade whose label can be changed by later slots until it is settled. */
export interface SettlingTrade {
  /** The swap with its current label; replaced, never mutated, when the label changes. */
  priced: PricedSwap;
  /** Once true, `priced` no longer changes. */
  isSettled: boolean;
  /** Number of trades of the pool on the same side, including this one; 0 if excluded initially. */
  readonly sideRank: number;
}

/** The effect of closing a slot on trades of this and of earlier slots. */
export interface Settlement {
  /** Trades whose label changed after they were returned, in order of change. */
  readonly relabelled: readonly SettlingTrade[];
  /** Trades whose label became final, per pool in trade order. */
  readonly settled: readonly SettlingTrade[];
}

export function relabel(trade: SettlingTrade, exclusion: PriceExclusion | null): void {
  trade.priced = { ...trade.priced, exclusion };
}

/** Marks that the trade's pool determines the price of its base mint. */
export function markTokenPrice(trade: SettlingTrade): void {
  trade.priced = { ...trade.priced, setsTokenPrice: true };
}

/** Marks the trade as organic, as far as known at the end of its slot. */
export function markOrganic(trade: SettlingTrade): void {
  trade.priced = { ...trade.priced, isOrganic: true };
}

/** Whether the trade may set a price, as far as currently known. */
export function mayPrice(trade: SettlingTrade): boolean {
  return trade.priced.exclusion === null;
}

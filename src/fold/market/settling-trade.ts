import type { PricedSwap, PriceExclusion } from '../../model/derived.ts';

/** A trade of which later slots may still change the label, until it is settled. */
export interface SettlingTrade {
  /** The swap with its current label; replaced, never mutated, when the label changes. */
  priced: PricedSwap;
  /** Once true, `priced` does not change any more. */
  isSettled: boolean;
  /** Trades of its pool on its own side up to and including it; 0 when excluded from the start. */
  readonly sideRank: number;
}

/** What the end of a slot did to trades of this and of earlier slots. */
export interface Settlement {
  /** Trades whose label changed after they were given out, in order of change. */
  readonly relabelled: readonly SettlingTrade[];
  /** Trades whose label became final, per pool in trade order. */
  readonly settled: readonly SettlingTrade[];
}

export function relabel(trade: SettlingTrade, exclusion: PriceExclusion | null): void {
  trade.priced = { ...trade.priced, exclusion };
}

/** The trade's pool is the one that prices its base mint. */
export function markTokenPrice(trade: SettlingTrade): void {
  trade.priced = { ...trade.priced, setsTokenPrice: true };
}

/** The trade is a person's, as far as was known at the end of its slot. */
export function markOrganic(trade: SettlingTrade): void {
  trade.priced = { ...trade.priced, isOrganic: true };
}

/** True when the trade may set a price as far as is known now. */
export function mayPrice(trade: SettlingTrade): boolean {
  return trade.priced.exclusion === null;
}

import { plain, record } from '../../model/codec.ts';
import { PRICED_SWAP, type PricedSwap, type PriceExclusion } from '../../model/derived.ts';
import type { WalletClass } from '../../model/wallet-record.ts';

/** A trade whose label can be changed by later slots until it is settled. */
export interface SettlingTrade {
  /** Differs from the numbers of all other unsettled trades; that of a settled one means nothing. */
  readonly number: number;
  /** The swap with its current label; replaced, never mutated, when the label changes. */
  priced: PricedSwap;
  /** Once true, `priced` no longer changes. */
  isSettled: boolean;
  /** Number of trades of the pool on the same side, including this one; 0 if excluded initially. */
  readonly sideRank: number;
}

/** An unsettled trade. */
export const UNSETTLED_TRADE = record({
  number: plain<number>(),
  priced: PRICED_SWAP,
  sideRank: plain<number>(),
});

/** The effect of closing a slot on trades of this and of earlier slots. */
export interface Settlement {
  /** Trades whose label changed after they were returned, in order of change. */
  readonly relabelled: readonly SettlingTrade[];
  /** Trades whose label became final, per pool in trade order. */
  readonly settled: readonly SettlingTrade[];
}

/** A trade that is settled from the beginning, because its own swap excludes it. */
export function settledTrade(priced: PricedSwap): SettlingTrade {
  return { number: 0, priced, isSettled: true, sideRank: 0 };
}

export function relabel(trade: SettlingTrade, exclusion: PriceExclusion | null): void {
  trade.priced = { ...trade.priced, exclusion };
}

/** Marks that the trade's pool determines the price of its base mint. */
export function markTokenPrice(trade: SettlingTrade): void {
  trade.priced = { ...trade.priced, setsTokenPrice: true };
}

/** Sets the class of the trader, and whether the trade is organic, as of the end of its slot. */
export function markClass(
  trade: SettlingTrade,
  walletClass: WalletClass,
  isOrganic: boolean,
): void {
  trade.priced = { ...trade.priced, walletClass, isOrganic };
}

/** Whether the trade may set a price, as far as currently known. */
export function mayPrice(trade: SettlingTrade): boolean {
  return trade.priced.exclusion === null;
}

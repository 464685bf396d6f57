import type { Address, PriceE18, RawAmount, UsdNano } from '../../model/units.ts';

/** One swap, as far as models look at it. */
export interface SignalTrade {
  readonly pool: Address;
  /** Logical time; a swap of unknown time is in no minute and not handed in. */
  readonly timeMs: number;
  readonly side: 'buy' | 'sell';
  /** Null when nobody can be said to have traded: then it is neither organic nor smart. */
  readonly wallet: Address | null;
  readonly baseRaw: RawAmount;
  /** Null when the quote's price is unknown. */
  readonly valueUsd: UsdNano | null;
  /** Robust price of the pool as its slot left it; null where the swap may not set a price. */
  readonly priceUsd: PriceE18 | null;
  readonly isOrganic: boolean;
  /**
   * Of an eligible smart wallet (neither an insider of the mint nor a bot in the pool), its score at
   * the trade over 100; else 0.
   */
  readonly smartWeight: number;
}

/** What an eligible smart wallet did in a minute; dollars are weighted by its score. */
export interface SmartMove {
  readonly wallet: Address;
  boughtUsd: number;
  soldUsd: number;
  /** Of the token, in its smallest unit. */
  boughtBase: number;
  soldBase: number;
}

/**
 * One minute of a pool in which it was traded. Prices and dollars are plain numbers: they are only
 * compared here, and what a signal says in money is read from the records.
 */
export interface MinuteBar {
  /** Start of the minute. */
  readonly minuteMs: number;
  /** Null while no trade of the minute could set a price. */
  high: number | null;
  low: number | null;
  close: number | null;
  organicBuyUsd: number;
  organicSellUsd: number;
  /** In dollars, organic or not. */
  volumeUsd: number;
  /** Trades of unknown value: sums over the minute say less than all. */
  unvaluedTrades: number;
  /** Real quote reserve as the minute left it, in the smallest unit; null while it is unknown. */
  quoteRaw: number | null;
  readonly buyers: Set<Address>;
  readonly smart: SmartMove[];
}

/**
 * Distinct organic buyers and smart wallets that are kept of one minute. More than are asked for in
 * five: who comes later in the minute counts in its dollars only.
 */
export const BUYERS_MAX = 64;
export const SMART_MAX = 32;

export function createBar(minuteMs: number): MinuteBar {
  return {
    minuteMs,
    high: null,
    low: null,
    close: null,
    organicBuyUsd: 0,
    organicSellUsd: 0,
    volumeUsd: 0,
    unvaluedTrades: 0,
    quoteRaw: null,
    buyers: new Set(),
    smart: [],
  };
}

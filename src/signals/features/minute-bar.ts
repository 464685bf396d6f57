import type { Address, PriceE18, RawAmount, UsdNano } from '../../model/units.ts';

/** One swap, with the fields that models use. */
export interface SignalTrade {
  readonly pool: Address;
  /** Logical time; swaps of unknown time are not passed in. */
  readonly timeMs: number;
  readonly side: 'buy' | 'sell';
  /** Null if the trader is unknown: then the swap is neither organic nor smart. */
  readonly wallet: Address | null;
  readonly baseRaw: RawAmount;
  /** Null if the quote's price is unknown. */
  readonly valueUsd: UsdNano | null;
  /** Robust price of the pool at the end of the slot; null if the swap may not set a price. */
  readonly priceUsd: PriceE18 | null;
  readonly isOrganic: boolean;
  /**
   * For an eligible smart wallet (neither an insider of the mint nor a bot in the pool), its score
   * at the trade divided by 100; otherwise 0.
   */
  readonly smartWeight: number;
}

/** Trades of an eligible smart wallet in one minute; dollars are weighted by its score. */
export interface SmartMove {
  readonly wallet: Address;
  readonly boughtUsd: number;
  readonly soldUsd: number;
  /** Of the token, in its smallest unit. */
  readonly boughtBase: number;
  readonly soldBase: number;
}

/**
 * One minute of a pool in which it was traded. Prices and dollars are plain numbers: they are only
 * compared; the amounts of a signal are read from the records.
 */
export interface MinuteBar {
  /** Start of the minute. */
  readonly minuteMs: number;
  /** Null while no trade of the minute could set a price. */
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly organicBuyUsd: number;
  readonly organicSellUsd: number;
  /** In dollars, organic or not. */
  readonly volumeUsd: number;
  /** Number of trades of unknown value, which the sums of the minute do not include. */
  readonly unvaluedTrades: number;
  /** Real quote reserve at the end of the minute, in the smallest unit; null if unknown. */
  readonly quoteRaw: number | null;
  /** Wallets of organic purchases, each once, in no useful order. */
  readonly buyers: readonly Address[];
  /** In order of first trade. */
  readonly smart: readonly SmartMove[];
}

/**
 * Maximum number of distinct organic buyers and smart wallets kept per minute. No model needs more
 * in five minutes; of later ones only the dollars count.
 */
export const BUYERS_MAX = 64;
export const SMART_MAX = 32;

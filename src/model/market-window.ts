import { BASE_CANDLE_MS } from './derived.ts';
import type { UsdNano } from './units.ts';

/** Rolling windows of trades, by the names the wire uses, shortest first. */
export const MARKET_WINDOWS = ['5m', '1h', '6h', '24h'] as const;

export type MarketWindow = (typeof MARKET_WINDOWS)[number];

export const WINDOW_MS: Readonly<Record<MarketWindow, number>> = {
  '5m': 300_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
};

/** Trades of a pool, or of all pools of a mint, within a window. Quarantined swaps are left out. */
export interface WindowFigures {
  readonly trades: number;
  readonly buys: number;
  readonly sells: number;
  /** Distinct wallets that bought, and that sold. */
  readonly buyers: number;
  readonly sellers: number;
  /** Both are null while less than 0.9 of the base volume has a known value. */
  readonly volumeUsd: UsdNano | null;
  /** Value of the trades that were organic when they were made. */
  readonly organicVolumeUsd: UsdNano | null;
  /**
   * Change of the price in USD as a fraction: from the last price before the window, at most 24
   * hours old, or else the first within 24 hours, to the newest; null without a price in 24 hours.
   */
  readonly priceChange: number | null;
}

export type FiguresByWindow = Readonly<Record<MarketWindow, WindowFigures>>;

/**
 * Inclusive start of a window at a time. It is a multiple of the base candle's length, and never
 * earlier than the window is long: a window is up to 30 seconds shorter than its name.
 */
export function windowStartMs(window: MarketWindow, nowMs: number): number {
  return (Math.floor(nowMs / BASE_CANDLE_MS) + 1) * BASE_CANDLE_MS - WINDOW_MS[window];
}

import { absolute } from '../lib/decimal.ts';
import type { OpenHighLowClose, PricedSwap } from '../model/derived.ts';
import type { PriceE18, RawAmount, UsdNano } from '../model/units.ts';

/** The additive part of a candle, while it is being added up. */
export interface CandleSums {
  baseVolumeRaw: bigint;
  quoteVolumeRaw: bigint;
  volumeUsd: bigint;
  pricedBaseVolumeRaw: bigint;
  trades: number;
  buys: number;
  sells: number;
}

/** The sums as a candle shows them. */
export interface PresentedSums {
  readonly baseVolumeRaw: RawAmount;
  readonly quoteVolumeRaw: RawAmount;
  readonly volumeUsd: UsdNano;
  readonly pricedBaseVolumeRaw: RawAmount;
  readonly trades: number;
  readonly buys: number;
  readonly sells: number;
}

export function createSums(): CandleSums {
  return {
    baseVolumeRaw: 0n,
    quoteVolumeRaw: 0n,
    volumeUsd: 0n,
    pricedBaseVolumeRaw: 0n,
    trades: 0,
    buys: 0,
    sells: 0,
  };
}

/** Adds a trade, whatever its label: exclusion concerns prices, never volume. */
export function addTrade(sums: CandleSums, { swap, valueUsd }: PricedSwap): void {
  const baseRaw = absolute(swap.poolBaseDelta);
  sums.baseVolumeRaw += baseRaw;
  sums.quoteVolumeRaw += absolute(swap.poolQuoteDelta);
  if (valueUsd !== null) {
    sums.volumeUsd += valueUsd;
    sums.pricedBaseVolumeRaw += baseRaw;
  }
  sums.trades++;
  if (swap.side === 'buy') sums.buys++;
  else sums.sells++;
}

export function addSums(sums: CandleSums, more: PresentedSums): void {
  sums.baseVolumeRaw += more.baseVolumeRaw;
  sums.quoteVolumeRaw += more.quoteVolumeRaw;
  sums.volumeUsd += more.volumeUsd;
  sums.pricedBaseVolumeRaw += more.pricedBaseVolumeRaw;
  sums.trades += more.trades;
  sums.buys += more.buys;
  sums.sells += more.sells;
}

/**
 * `showsQuote` is false for a mint: its pools have different quotes, whose amounts do not add.
 */
export function presentSums(sums: CandleSums, showsQuote: boolean): PresentedSums {
  return {
    baseVolumeRaw: sums.baseVolumeRaw as RawAmount,
    quoteVolumeRaw: (showsQuote ? sums.quoteVolumeRaw : 0n) as RawAmount,
    volumeUsd: sums.volumeUsd as UsdNano,
    pricedBaseVolumeRaw: sums.pricedBaseVolumeRaw as RawAmount,
    trades: sums.trades,
    buys: sums.buys,
    sells: sums.sells,
  };
}

/** The range after one more price. */
export function withPrice(range: OpenHighLowClose | null, price: PriceE18): OpenHighLowClose {
  if (range === null) return { open: price, high: price, low: price, close: price };
  const { open, high, low } = range;
  return { open, high: price > high ? price : high, low: price < low ? price : low, close: price };
}

/** The range of two spans of time, `earlier` before `later`. */
export function joinRanges(
  earlier: OpenHighLowClose | null,
  later: OpenHighLowClose | null,
): OpenHighLowClose | null {
  if (earlier === null || later === null) return earlier ?? later;
  return { ...withPrice(withPrice(earlier, later.high), later.low), close: later.close };
}

import { absolute } from '../../lib/decimal.ts';
import type { Mutable } from '../../lib/mutable.ts';
import { type Described, integer, plain, record } from '../../model/codec.ts';
import type { Candle, PricedSwap } from '../../model/derived.ts';
import { asRawAmount, asUsdNano } from '../../model/units.ts';
import type { PriceRanges } from './price-ranges.ts';

export const CANDLE_SUMS = record({
  baseVolumeRaw: integer(),
  quoteVolumeRaw: integer(),
  volumeUsd: integer(),
  pricedBaseVolumeRaw: integer(),
  trades: plain<number>(),
  buys: plain<number>(),
  sells: plain<number>(),
});

/** The additive fields of a candle during accumulation. */
export interface CandleSums extends Mutable<Described<typeof CANDLE_SUMS>> {}

/** The fields of a candle other than its sums and prices. */
export type CandleFrame = Pick<
  Candle,
  'scope' | 'openTimeMs' | 'baseDecimals' | 'supplyRaw' | 'isFinal' | 'slot'
>;

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

/**
 * Adds a trade regardless of its label: an exclusion affects prices, never volume. `isPool` is
 * false for a mint, whose pools have different quotes; their amounts cannot be added.
 */
export function addTrade(sums: CandleSums, { swap, valueUsd }: PricedSwap, isPool: boolean): void {
  const baseRaw = absolute(swap.poolBaseDelta);
  sums.baseVolumeRaw += baseRaw;
  if (isPool) sums.quoteVolumeRaw += absolute(swap.poolQuoteDelta);
  if (valueUsd !== null) {
    sums.volumeUsd += valueUsd;
    sums.pricedBaseVolumeRaw += baseRaw;
  }
  sums.trades++;
  if (swap.side === 'buy') sums.buys++;
  else sums.sells++;
}

export function addCandle(sums: CandleSums, candle: Candle): void {
  sums.baseVolumeRaw += candle.baseVolumeRaw;
  sums.quoteVolumeRaw += candle.quoteVolumeRaw;
  sums.volumeUsd += candle.volumeUsd;
  sums.pricedBaseVolumeRaw += candle.pricedBaseVolumeRaw;
  sums.trades += candle.trades;
  sums.buys += candle.buys;
  sums.sells += candle.sells;
}

/** Assigned field by field, because spreading takes longer than everything else here. */
export function presentCandle(frame: CandleFrame, ranges: PriceRanges, sums: CandleSums): Candle {
  return {
    scope: frame.scope,
    openTimeMs: frame.openTimeMs,
    quote: ranges.quote,
    usd: ranges.usd,
    baseVolumeRaw: asRawAmount(sums.baseVolumeRaw),
    quoteVolumeRaw: asRawAmount(sums.quoteVolumeRaw),
    volumeUsd: asUsdNano(sums.volumeUsd),
    pricedBaseVolumeRaw: asRawAmount(sums.pricedBaseVolumeRaw),
    pricingBaseRaw: ranges.pricingBaseRaw,
    pricingUsd: ranges.pricingUsd,
    baseDecimals: frame.baseDecimals,
    trades: sums.trades,
    buys: sums.buys,
    sells: sums.sells,
    supplyRaw: frame.supplyRaw,
    isFinal: frame.isFinal,
    slot: frame.slot,
  };
}

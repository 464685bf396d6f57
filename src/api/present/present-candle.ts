import { divide, formatFixed, formatTrimmed, mulDiv } from '../../lib/decimal.ts';
import type { Candle } from '../../model/derived.ts';
import {
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  USD_NANO_SCALE,
} from '../../model/units.ts';
import { formatInstant, formatPrice, formatUsd } from './format-wire.ts';

export type CandleMetric = 'price_usd' | 'marketcap_usd';

/** A candle with wire names. Prices and vwap are in the metric's unit, volume always in USD. */
export interface WireCandle {
  readonly timestamp: string;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string | null;
  readonly vwap: string | null;
}

const USD_DIGITS = 2;

/**
 * Formats a candle. Prices are null if no trade could set one; volume and vwap are null if less
 * than 0.9 of the base volume has a known USD value (METHODS §0.4); market caps are null if the
 * supply is unknown.
 */
export function presentCandle(candle: Candle, metric: CandleMetric): WireCandle {
  const { usd } = candle;
  const format = metric === 'price_usd' ? formatPrice : toMarketCapFormat(candle);
  const isPriced = candle.pricedBaseVolumeRaw * 10n >= candle.baseVolumeRaw * 9n;
  return {
    timestamp: formatInstant(candle.openTimeMs),
    open: format(usd?.open ?? null),
    high: format(usd?.high ?? null),
    low: format(usd?.low ?? null),
    close: format(usd?.close ?? null),
    volume: isPriced ? formatUsd(candle.volumeUsd) : null,
    vwap: isPriced ? formatVwap(candle, metric) : null,
  };
}

/** Market cap = price × supply net of burns, in USD. */
function toMarketCapFormat({ supplyRaw, baseDecimals }: Candle) {
  const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_DIGITS);
  return (price: PriceE18 | null): string | null => {
    if (price === null || supplyRaw === null) return null;
    return formatFixed(mulDiv(price, supplyRaw, scale, 'half-up'), USD_DIGITS);
  };
}

/**
 * USD value of the priced trades per base token; null without priced trades or if it exceeds any
 * price.
 */
function formatVwap(candle: Candle, metric: CandleMetric): string | null {
  const { volumeUsd, pricedBaseVolumeRaw, supplyRaw, baseDecimals } = candle;
  if (pricedBaseVolumeRaw === 0n) return null;
  const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_NANO_SCALE);
  const price = mulDiv(volumeUsd, scale, pricedBaseVolumeRaw, 'half-up');
  if (price > PRICE_MAX) return null;
  if (metric === 'price_usd') return formatTrimmed(price, PRICE_SCALE);
  if (supplyRaw === null) return null;
  const divisor = pricedBaseVolumeRaw * powerOfTen(USD_NANO_SCALE - USD_DIGITS);
  return formatFixed(divide(volumeUsd * supplyRaw, divisor, 'half-up'), USD_DIGITS);
}

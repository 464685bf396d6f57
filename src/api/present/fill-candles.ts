import { type Candle, flatAt } from '../../model/derived.ts';
import { asRawAmount, asUsdNano, type PriceE18 } from '../../model/units.ts';
import type { CandleRange } from '../parameters/candle-range.ts';

/**
 * Candles without a price are flat at the last close before them, and omitted before the first.
 * `before` is the last candle with a price that opened before them.
 */
export function withFlatPrices(candles: readonly Candle[], before: Candle | null): Candle[] {
  let close = before?.usd?.close;
  const priced: Candle[] = [];
  for (const candle of candles) {
    const usd = candle.usd ?? maybeFlatAt(close);
    if (usd === null) continue;
    close = usd.close;
    priced.push(candle.usd === null ? { ...candle, usd } : candle);
  }
  return priced;
}

/**
 * Fills buckets without trades with a flat candle at the last close, from the first candle (`before`
 * is the last one with a price that opened before the range) to the end of the range. All `candles`
 * have prices.
 * Buckets before any known candle are omitted.
 */
export function fillCandles(
  candles: readonly Candle[],
  before: Candle | null,
  range: CandleRange,
  intervalMs: number,
): Candle[] {
  const filled: Candle[] = [];
  let next = 0;
  let previous = before;
  for (let openTimeMs = range.fromMs; openTimeMs < range.toMs; openTimeMs += intervalMs) {
    const candle = candles[next];
    if (candle?.openTimeMs === openTimeMs) {
      next += 1;
      filled.push(candle);
      previous = candle;
    } else if (previous !== null) {
      filled.push(toFlatCandle(previous, openTimeMs));
    }
  }
  return filled;
}

function toFlatCandle(previous: Candle, openTimeMs: number): Candle {
  return {
    ...previous,
    openTimeMs,
    quote: maybeFlatAt(previous.quote?.close),
    usd: maybeFlatAt(previous.usd?.close),
    baseVolumeRaw: asRawAmount(0n),
    quoteVolumeRaw: asRawAmount(0n),
    volumeUsd: asUsdNano(0n),
    pricedBaseVolumeRaw: asRawAmount(0n),
    pricingBaseRaw: asRawAmount(0n),
    pricingUsd: asUsdNano(0n),
    trades: 0,
    buys: 0,
    sells: 0,
  };
}

function maybeFlatAt(close: PriceE18 | undefined): Candle['usd'] {
  return close === undefined ? null : flatAt(close);
}

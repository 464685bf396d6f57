import type { Candle } from '../../model/derived.ts';
import { asRawAmount, asUsdNano, type PriceE18 } from '../../model/units.ts';
import type { CandleRange } from '../parameters/candle-range.ts';

/**
 * Fills buckets without trades with a flat candle at the last known close, from the first known
 * candle (`before` is the last candle that opened before the range) to the end of the range.
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
      if (candle.usd !== null || previous === null) previous = candle;
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
    quote: flatAt(previous.quote?.close),
    usd: flatAt(previous.usd?.close),
    baseVolumeRaw: asRawAmount(0n),
    quoteVolumeRaw: asRawAmount(0n),
    volumeUsd: asUsdNano(0n),
    pricedBaseVolumeRaw: asRawAmount(0n),
    trades: 0,
    buys: 0,
    sells: 0,
  };
}

function flatAt(close: PriceE18 | undefined): Candle['usd'] {
  return close === undefined ? null : { open: close, high: close, low: close, close };
}

import type { Candle } from '../../model/derived.ts';
import type { RawAmount, Slot } from '../../model/units.ts';
import {
  addCandle,
  type CandleFrame,
  type CandleSums,
  createSums,
  presentCandle,
} from './candle-sums.ts';
import { joinRanges, NO_RANGES, type PriceRanges } from './price-ranges.ts';

/**
 * Merges the candles of one scope, oldest first, into buckets of `intervalMs`. Merging merged
 * candles equals merging the originals, so every interval follows from the base candles. Buckets
 * start at multiples of the interval since 1970; empty buckets are omitted. A merged candle is
 * final when all its parts are final; the caller decides whether more parts can follow.
 */
export function mergeCandles(candles: readonly Candle[], intervalMs: number): Candle[] {
  assertInterval(intervalMs);
  const merged: Candle[] = [];
  let bucket: MergedBucket | null = null;
  for (const candle of candles) {
    const openTimeMs = bucketStart(candle.openTimeMs, intervalMs);
    if (bucket !== null && bucket.openTimeMs !== openTimeMs) {
      if (bucket.openTimeMs > openTimeMs) throw new RangeError('candles out of order');
      merged.push(bucket.present());
      bucket = null;
    }
    bucket ??= new MergedBucket(candle, openTimeMs);
    bucket.add(candle);
  }
  if (bucket !== null) merged.push(bucket.present());
  return merged;
}

/** Start of the bucket that holds `timeMs`. */
export function bucketStart(timeMs: number, intervalMs: number): number {
  return Math.floor(timeMs / intervalMs) * intervalMs;
}

/** Throws RangeError unless the interval is a positive whole number of milliseconds. */
export function assertInterval(intervalMs: number): void {
  if (!Number.isSafeInteger(intervalMs) || intervalMs <= 0) {
    throw new RangeError(`invalid candle interval: ${intervalMs} ms`);
  }
}

class MergedBucket implements CandleFrame {
  readonly scope: Candle['scope'];
  readonly openTimeMs: number;
  readonly baseDecimals: number;
  supplyRaw: RawAmount | null;
  isFinal = true;
  slot: Slot;
  private readonly sums: CandleSums = createSums();
  private ranges: PriceRanges = NO_RANGES;

  constructor(first: Candle, openTimeMs: number) {
    this.scope = first.scope;
    this.openTimeMs = openTimeMs;
    this.baseDecimals = first.baseDecimals;
    this.supplyRaw = first.supplyRaw;
    this.slot = first.slot;
  }

  add(candle: Candle): void {
    addCandle(this.sums, candle);
    this.ranges = joinRanges(this.ranges, candle);
    this.supplyRaw = candle.supplyRaw;
    this.isFinal &&= candle.isFinal;
    if (candle.slot > this.slot) this.slot = candle.slot;
  }

  present(): Candle {
    return presentCandle(this, this.ranges, this.sums);
  }
}

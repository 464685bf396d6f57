import type { Candle, OpenHighLowClose } from '../model/derived.ts';
import type { RawAmount, Slot } from '../model/units.ts';
import { addSums, type CandleSums, createSums, joinRanges, presentSums } from './candle-sums.ts';

/**
 * Merges the candles of one scope, oldest first, into buckets of `intervalMs`. Merging merged
 * candles equals merging the originals, so every interval follows from the base candles. Buckets
 * start at multiples of the interval since 1970; one without candles stays out. A merged candle is
 * final when all its parts are: whether more parts can come is for the reader to judge.
 */
export function mergeCandles(candles: readonly Candle[], intervalMs: number): Candle[] {
  assertInterval(intervalMs);
  const merged: Candle[] = [];
  let bucket: Bucket | null = null;
  for (const candle of candles) {
    const openTimeMs = bucketStart(candle.openTimeMs, intervalMs);
    if (bucket !== null && bucket.openTimeMs !== openTimeMs) {
      if (bucket.openTimeMs > openTimeMs) throw new RangeError('candles out of order');
      merged.push(presentBucket(bucket));
      bucket = null;
    }
    bucket ??= openBucket(candle, openTimeMs);
    addCandle(bucket, candle);
  }
  if (bucket !== null) merged.push(presentBucket(bucket));
  return merged;
}

/** Start of the bucket that holds `timeMs`. */
export function bucketStart(timeMs: number, intervalMs: number): number {
  return Math.floor(timeMs / intervalMs) * intervalMs;
}

/** Throws RangeError unless the interval is a positive whole number of milliseconds. */
export function assertInterval(intervalMs: number): void {
  if (!Number.isSafeInteger(intervalMs) || intervalMs <= 0) {
    throw new RangeError(`candle interval of ${intervalMs} ms`);
  }
}

interface Bucket {
  readonly first: Candle;
  readonly openTimeMs: number;
  readonly sums: CandleSums;
  quote: OpenHighLowClose | null;
  usd: OpenHighLowClose | null;
  supplyRaw: RawAmount | null;
  isFinal: boolean;
  slot: Slot;
}

function openBucket(first: Candle, openTimeMs: number): Bucket {
  const { supplyRaw, slot } = first;
  const sums = createSums();
  return { first, openTimeMs, sums, quote: null, usd: null, supplyRaw, isFinal: true, slot };
}

function addCandle(bucket: Bucket, candle: Candle): void {
  addSums(bucket.sums, candle);
  bucket.quote = joinRanges(bucket.quote, candle.quote);
  bucket.usd = joinRanges(bucket.usd, candle.usd);
  bucket.supplyRaw = candle.supplyRaw;
  bucket.isFinal &&= candle.isFinal;
  if (candle.slot > bucket.slot) bucket.slot = candle.slot;
}

function presentBucket({ first, openTimeMs, sums, ...rest }: Bucket): Candle {
  return {
    scope: first.scope,
    openTimeMs,
    ...presentSums(sums, true),
    baseDecimals: first.baseDecimals,
    ...rest,
  };
}

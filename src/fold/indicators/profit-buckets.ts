/**
 * Buckets of prices: 72 octaves from 2^-52 (2e-16) to 2^20 (a million) dollars, 128 buckets each, so
 * that a bucket is at most 0.78 % wide; what lies outside is in the first or the last. They are read
 * off the bits of the number, which keeps their order exact where a logarithm might not.
 */
export const BUCKETS_PER_OCTAVE = 128;
export const OCTAVES = 72;

/** Never decreases with `priceUsd`, which is 0 or more. */
export function bucketOf(priceUsd: number): number {
  BITS.setFloat64(0, priceUsd);
  const index = (BITS.getUint32(0) >>> 13) - FIRST_BUCKET;
  return Math.min(Math.max(index, 0), BUCKETS_PER_OCTAVE * OCTAVES - 1);
}

/** First and last bucket in which a price within 10^-12 of this one may lie. */
export function bucketsNear(priceUsd: number): readonly [first: number, last: number] {
  return [bucketOf(priceUsd * (1 - 1e-12)), bucketOf(priceUsd * (1 + 1e-12))];
}

const BITS = new DataView(new ArrayBuffer(8));
/** Exponent (biased by 1023) and the seven highest bits after the point. */
const FIRST_BUCKET = (1_023 - 52) * BUCKETS_PER_OCTAVE;

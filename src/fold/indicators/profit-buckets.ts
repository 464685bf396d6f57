/**
 * Price buckets: 72 octaves from 2^-52 (2e-16) to 2^20 (a million) dollars, with 128 buckets each,
 * so a bucket is at most 0.78 % wide. Prices outside fall into the first or last bucket. The index
 * is taken from the bits of the number, which preserves order exactly; a logarithm might not.
 */
export const BUCKETS_PER_OCTAVE = 128;
export const OCTAVES = 72;

/** Monotonic in `priceUsd`, which must not be negative. */
export function bucketOf(priceUsd: number): number {
  BITS.setFloat64(0, priceUsd);
  const index = (BITS.getUint32(0) >>> 13) - FIRST_BUCKET;
  return Math.min(Math.max(index, 0), BUCKETS_PER_OCTAVE * OCTAVES - 1);
}

/** First and last bucket of the prices within a relative distance of 10^-12. */
export function bucketsNear(priceUsd: number): readonly [first: number, last: number] {
  return [bucketOf(priceUsd * (1 - 1e-12)), bucketOf(priceUsd * (1 + 1e-12))];
}

const BITS = new DataView(new ArrayBuffer(8));
/** Exponent (biased by 1023) and the seven highest bits of the mantissa. */
const FIRST_BUCKET = (1_023 - 52) * BUCKETS_PER_OCTAVE;

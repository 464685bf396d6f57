import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKETS_PER_OCTAVE, bucketOf, bucketsNear, OCTAVES } from './profit-buckets.ts';

const LAST = BUCKETS_PER_OCTAVE * OCTAVES - 1;

describe('price buckets', () => {
  test('preserve the order of any two prices', () => {
    const price = fc.double({ min: 0, noNaN: true });
    fc.assert(
      fc.property(price, price, (one, other) => {
        const [lower, higher] = one < other ? [one, other] : [other, one];
        expect(bucketOf(lower)).toBeLessThanOrEqual(bucketOf(higher));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    [0, 0],
    [Number.MIN_VALUE, 0],
    [2 ** -52, 0],
    [2 ** -51, 128],
    [1, 52 * 128],
    [1 + 1 / 128, 52 * 128 + 1],
    [2 - 2 ** -52, 53 * 128 - 1],
    [2 ** 20 * (1 - 2 ** -53), LAST],
    [1e30, LAST],
    [Number.POSITIVE_INFINITY, LAST],
  ])('put %d into %d', (price, bucket) => {
    expect(bucketOf(price)).toBe(bucket);
  });

  test('are at most 0.79 % wide between the first and the last', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-15, max: 1e6, noNaN: true }), (price) => {
        expect(bucketOf(price * 1.0079)).toBeGreaterThan(bucketOf(price));
      }),
    );
  });

  test('two buckets are near a price at their border, one is near any other price', () => {
    expect(bucketsNear(1)).toEqual([52 * 128 - 1, 52 * 128]);
    expect(bucketsNear(1.001)).toEqual([52 * 128, 52 * 128]);
    expect(bucketsNear(0)).toEqual([0, 0]);
  });
});

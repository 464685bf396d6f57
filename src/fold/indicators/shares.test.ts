import { describe, expect, test } from 'vitest';
import { sharesOf, toHundredths } from './shares.ts';

describe('shares', () => {
  test.each([
    [1_100n, 1_334n, 0.8246, 0.1754],
    [1n, 3n, 0.3333, 0.6667],
    [2n, 3n, 0.6667, 0.3333],
    [1n, 20_000n, 0.0001, 0.9999],
    [1n, 20_001n, 0, 1],
    [0n, 5n, 0, 1],
    [5n, 5n, 1, 0],
    [0n, 0n, 0, 0],
  ])('of %d in %d are %d and %d', (part, whole, share, rest) => {
    expect(sharesOf(part, whole)).toEqual({ part: share, rest });
  });

  test('have decimals that add to 1, for any whole', () => {
    for (let part = 0n; part <= 997n; part++) {
      const { part: share, rest } = sharesOf(part, 997n);
      const digits = (ratio: number) => BigInt(ratio.toFixed(4).replace('.', ''));
      expect(digits(share) + digits(rest)).toBe(10_000n);
    }
  });
});

test('hundredths are rounded half up', () => {
  expect([73.333_333, 0.125, 6.696, 55].map(toHundredths)).toEqual([73.33, 0.13, 6.7, 55]);
});

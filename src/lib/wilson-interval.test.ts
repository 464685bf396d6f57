import { describe, expect, test } from 'vitest';
import { wilsonLower, wilsonUpper } from './wilson-interval.ts';

/** The 97.5 % point of the normal distribution. */
const Z = 1.959964;

describe('the score interval of a share', () => {
  // Newcombe 1998, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i goes from %f to %f', (hits, total, lower, upper) => {
    expect(wilsonLower(hits, total, Z)).toBeCloseTo(lower, 4);
    expect(wilsonUpper(hits, total, Z)).toBeCloseTo(upper, 4);
  });

  test('without observations is the full range', () => {
    expect([wilsonLower(0, 0, Z), wilsonUpper(0, 0, Z)]).toEqual([0, 1]);
  });

  test('of all observations ends at one', () => {
    expect(wilsonUpper(50, 50, Z)).toBeCloseTo(1, 12);
  });
});

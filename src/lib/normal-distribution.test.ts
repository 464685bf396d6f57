import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalCdf, normalQuantile } from './normal-distribution.ts';

// Abramowitz and Stegun, Handbook of Mathematical Functions, tables 26.1, 26.2 and 26.5.
describe('the normal distribution', () => {
  test.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [2, 0.977249868051821],
    [-1.96, 0.02499789514822],
    [5, 1 - 2.866515719e-7],
    [-6, 9.86587645e-10],
  ])('up to %d is %d', (z, expected) => {
    expect(normalCdf(z) / expected).toBeCloseTo(1, 9);
  });

  test.each([
    [0.975, 1.959963984540054],
    [0.995, 2.575829303548901],
    [0.5, 0],
    [0.001, -3.090232306167813],
  ])('the quantile of %d is %d', (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 9);
  });

  test('the quantile is the inverse, and symmetric', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 0.5, noNaN: true }), (probability) => {
        const z = normalQuantile(probability);
        expect(normalCdf(z) / probability).toBeCloseTo(1, 9);
        expect(normalQuantile(1 - probability)).toBeCloseTo(
          -normalQuantile(1 - (1 - probability)),
          6,
        );
      }),
    );
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(2)).toBeNaN();
  });
});

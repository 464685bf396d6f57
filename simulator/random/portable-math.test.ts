import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cosineOfTurn, exp, log, power, tanh } from './portable-math.ts';

/** The engine's own functions err by less than one unit in the last place, these by a few. */
const CLOSE = 2e-15;

function expectClose(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(CLOSE * Math.max(1, Math.abs(expected)));
}

describe('portable functions', () => {
  test('equal those of the engine except for the last digits', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-14 + Math.abs(x) * 1e-16);
        expectClose(tanh(x / 50), Math.tanh(x / 50));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
        expectClose(log(x), Math.log(x));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (turn) => {
        expectClose(cosineOfTurn(turn), Math.cos(2 * Math.PI * turn));
      }),
    );
  });

  test('give well-known values', () => {
    expect([exp(0), log(1), tanh(0), cosineOfTurn(0), cosineOfTurn(0.5)]).toEqual([1, 0, 0, 1, -1]);
    expect(Math.abs(cosineOfTurn(0.25)) + Math.abs(cosineOfTurn(0.75))).toBe(0);
    expectClose(exp(1), Math.E);
    expectClose(log(2), Math.LN2);
    expectClose(power(2, 10), 1_024);
    expectClose(power(0.5, 0.5), Math.SQRT1_2);
    expect([log(0), power(0, 3), tanh(log(0))]).toEqual([Number.NEGATIVE_INFINITY, 0, -1]);
    expect([exp(-1e6), exp(1e6)]).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  test('reject arguments without a logarithm', () => {
    for (const x of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => log(x)).toThrow(RangeError);
    }
  });
});

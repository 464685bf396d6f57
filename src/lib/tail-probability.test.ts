import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binomialSurvival,
  binomialSurvivalLog10,
  poissonSurvival,
  poissonSurvivalLog10,
} from './tail-probability.ts';

describe('the probability of this many successes or more', () => {
  it('is the value counted by hand', () => {
    // Two coins: at least one head in 3 of 4 cases. Three dice, three sixes: 1 in 216.
    expect(binomialSurvival(1, 2, 0.5)).toBeCloseTo(0.75, 14);
    expect(binomialSurvival(3, 3, 1 / 6)).toBeCloseTo(1 / 216, 14);
  });

  it('distinguishes a ring from a panic as in the worked example', () => {
    // METHODS §7.7: 7 of 8 leave when 1 of 10 others does, and when 6 of 10 do.
    expect(-binomialSurvivalLog10(7, 8, 0.1)).toBeCloseTo(6.137, 3);
    expect(-binomialSurvivalLog10(7, 8, 0.6)).toBeCloseTo(0.973, 3);
  });

  it.each([
    [1, 1, 1, 50],
    [3, 40, 1, 50],
    [20, 40, 1, 2],
    [21, 40, 1, 2],
    [39, 40, 99, 100],
    [200, 300, 1, 7],
    [60, 2_000, 3, 100],
    [61, 2_000, 3, 100],
    [5, 2_000, 3, 100],
  ])('%i of %i at %i / %i is the sum of exact fractions', (k, trials, part, whole) => {
    const exact = log10Of(binomialTail(k, trials, BigInt(part), BigInt(whole)));
    const computed = binomialSurvivalLog10(k, trials, part / whole);
    expect(Math.abs(computed - exact)).toBeLessThan(1e-11 * Math.max(1, Math.abs(exact)));
  });

  it('returns tails that a number cannot represent', () => {
    // 400 of 400 at 1 in 100: 10^-800.
    expect(binomialSurvivalLog10(400, 400, 0.01)).toBeCloseTo(-800, 9);
    expect(binomialSurvival(400, 400, 0.01)).toBe(0);
  });

  it('is certain for zero or more, and never has more successes than trials', () => {
    expect(binomialSurvival(0, 5, 0.3)).toBe(1);
    expect(binomialSurvival(0, 0, 0)).toBe(1);
    expect(binomialSurvival(6, 5, 0.3)).toBe(0);
    expect(binomialSurvival(1, 5, 0)).toBe(0);
    expect(binomialSurvival(5, 5, 1)).toBe(1);
  });

  it('falls with the count and rises with the probability of each', () => {
    const trials = fc.integer({ min: 1, max: 500 });
    const chance = fc.double({ min: 0.001, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(trials, fc.nat(500), chance, (of, count, probability) => {
        const k = count % of;
        const here = binomialSurvivalLog10(k, of, probability);
        expect(binomialSurvivalLog10(k + 1, of, probability)).toBeLessThanOrEqual(here);
        expect(binomialSurvivalLog10(k, of, probability + 0.01)).toBeGreaterThanOrEqual(here);
        expect(here).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('rejects invalid counts and probabilities', () => {
    expect(() => binomialSurvival(1.5, 3, 0.5)).toThrow(RangeError);
    expect(() => binomialSurvival(1, -3, 0.5)).toThrow(RangeError);
    expect(() => binomialSurvival(1, 3, 1.1)).toThrow(RangeError);
    expect(() => binomialSurvival(1, 3, Number.NaN)).toThrow(RangeError);
  });
});

describe('the probability of this many events or more', () => {
  it('distinguishes a burst from a busy minute as in the worked example', () => {
    // METHODS §7.4: 6 buyers where half a buyer is usual, and 8 where two are.
    expect(-poissonSurvivalLog10(6, 0.5)).toBeCloseTo(4.85, 2);
    expect(-poissonSurvivalLog10(8, 2)).toBeCloseTo(2.96, 2);
  });

  it.each([
    [1, 1, 20],
    [6, 1, 2],
    [3, 20, 1],
    [20, 20, 1],
    [21, 20, 1],
    [150, 61, 1],
    [70, 130, 1],
    [500, 7, 3],
  ])('%i at a mean of %i / %i is the sum of exact fractions', (k, part, whole) => {
    const exact = log10Of(poissonTail(k, BigInt(part), BigInt(whole)));
    const computed = poissonSurvivalLog10(k, part / whole);
    expect(Math.abs(computed - exact)).toBeLessThan(1e-11 * Math.max(1, Math.abs(exact)));
  });

  it('is certain for zero or more, and zero for events with mean zero', () => {
    expect(poissonSurvival(0, 3)).toBe(1);
    expect(poissonSurvival(1, 0)).toBe(0);
    expect(poissonSurvival(1, 1)).toBeCloseTo(1 - Math.exp(-1), 14);
  });

  it('rejects invalid counts and means', () => {
    expect(() => poissonSurvival(-1, 3)).toThrow(RangeError);
    expect(() => poissonSurvival(1, -3)).toThrow(RangeError);
    expect(() => poissonSurvival(1, Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });
});

interface Fraction {
  readonly part: bigint;
  readonly whole: bigint;
}

/** Σ C(n, i) p^i (1 − p)^(n − i) over i ≥ k, in integers. */
function binomialTail(k: number, trials: number, part: bigint, whole: bigint): Fraction {
  let choices = 1n;
  let sum = 0n;
  for (let i = 0; i <= trials; i++) {
    if (i >= k) sum += choices * part ** BigInt(i) * (whole - part) ** BigInt(trials - i);
    choices = (choices * BigInt(trials - i)) / BigInt(i + 1);
  }
  return { part: sum, whole: whole ** BigInt(trials) };
}

/**
 * Σ λ^i / i! over i ≥ k, divided by the same over all i: the factor e^−λ cancels out. In steps of
 * 10^-1200.
 */
function poissonTail(k: number, part: bigint, whole: bigint): Fraction {
  let term = 10n ** 1_200n;
  let [all, tail] = [0n, 0n];
  for (let i = 0; term > 0n; i++) {
    all += term;
    if (i >= k) tail += term;
    term = (term * part) / (whole * BigInt(i + 1));
  }
  return { part: tail, whole: all };
}

function log10Of({ part, whole }: Fraction): number {
  // 40 digits after the point of a quotient that is scaled up to have them.
  const shift = whole.toString().length - part.toString().length + 40;
  const digits = ((part * 10n ** BigInt(shift)) / whole).toString();
  return Math.log10(Number(`0.${digits}`)) + digits.length - shift;
}

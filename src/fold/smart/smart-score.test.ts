import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EpisodeSums, lowerWinRate, smartScore, smartTerms } from './smart-score.ts';

const NONE: EpisodeSums = { count: 0, wins: 0, returns: 0, profitUsd: 0, topProfitUsd: 0 };

/** Sums of episodes that all have the same weight. */
function sumsOf(profits: readonly number[], returns: readonly number[]): EpisodeSums {
  const add = (sum: number, value: number) => sum + value;
  return {
    count: profits.length,
    wins: returns.filter((value) => value > Math.log(1.02)).length,
    returns: returns.reduce(add, 0),
    profitUsd: profits.reduce(add, 0),
    topProfitUsd: Math.max(...profits),
  };
}

describe('the score of a wallet', () => {
  test('is the sum of its terms times the factor of concentration', () => {
    const sums = { count: 30, wins: 25, returns: 6, profitUsd: 10_000, topProfitUsd: 7_000 };
    const score = smartScore(sums);
    const terms = smartTerms(score, sums);
    const total = terms.reduce((sum, { contribution }) => sum + contribution, 0);
    // Seven tenths of the profit come from one token: half of the way from 0.5 to 0.9.
    expect(score.score).toBeCloseTo(total * 0.5, 9);
    expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
    // log10 of 10,000 is half of the way from 3 to 5: half of 20 points.
    expect(terms[2]).toMatchObject({ from: 1_000, to: 100_000, contribution: 10 });
  });

  test('uses the bound of Beta(17, 13) for 14 wins in 20, as computed in METHODS', () => {
    // Mean 17/30, variance 17·13/(30²·31).
    expect(lowerWinRate(20, 14)).toBeCloseTo(17 / 30 - 1.2816 * Math.sqrt(221 / 27_900), 12);
    expect(lowerWinRate(20, 14)).toBeCloseTo(0.452603, 6);
  });

  test('is 0 for a wallet without episodes', () => {
    expect(smartScore(NONE)).toMatchObject({ score: 0, winPart: 0, returnPart: 0, profitPart: 0 });
  });

  test('is the sum of its three parts for 14 wins in 20, a return of 0.4 each and $10,000', () => {
    const sums = { count: 20, wins: 14, returns: 8, profitUsd: 10_000, topProfitUsd: 2_000 };
    // W = (0.452603 − 0.30) / 0.40; R = (8 / 30) / 0.5; P = (4 − 3) / 2; a fifth costs nothing.
    const expected = 100 * (0.45 * (0.152603 / 0.4) + 0.35 * (8 / 30 / 0.5) + 0.2 * 0.5);
    expect(smartScore(sums).score).toBeCloseTo(expected, 3);
  });

  test('is low for one thousandfold gain among nine losses', () => {
    const profits = [100_000, ...Array.from({ length: 9 }, () => -100)];
    const returns = [3, ...Array.from({ length: 9 }, () => -3)];
    expect(smartScore(sumsOf(profits, returns)).score).toBe(0);
  });

  test('is halved if one episode made seven tenths of the profit', () => {
    const spread = { count: 30, wins: 25, returns: 15, profitUsd: 1e5, topProfitUsd: 1e4 };
    const whole = smartScore(spread).score;
    expect(smartScore({ ...spread, topProfitUsd: 7e4 }).score).toBeCloseTo(whole / 2, 9);
  });

  test('never decreases when one episode is won instead of lost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: -500, max: 500, noNaN: true }),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        (count, returns, profitUsd) => {
          const sums = { count, returns, profitUsd, topProfitUsd: profitUsd / 3 };
          let previous = -1;
          for (let wins = 0; wins <= count; wins++) {
            const { score } = smartScore({ ...sums, wins });
            expect(score).toBeGreaterThanOrEqual(previous);
            expect(score).toBeLessThanOrEqual(100);
            previous = score;
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

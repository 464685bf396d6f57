import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EpisodeSums, smartMerit, smartTerms } from './smart-score.ts';

const NONE: EpisodeSums = {
  ...{ count: 0, wins: 0, returns: 0, excess: 0, excessSquares: 0 },
  ...{ gainsUsd: 0, lossesUsd: 0, bestExcess: 0, bestWeight: 0 },
};

/** Sums of episodes that all have the same weight: excess, and profit in USD. */
function sumsOf(episodes: readonly (readonly [excess: number, profitUsd: number])[]): EpisodeSums {
  const sum = (amountOf: (episode: readonly [number, number]) => number) =>
    episodes.reduce((total, episode) => total + amountOf(episode), 0);
  return {
    ...NONE,
    count: episodes.length,
    excess: sum(([excess]) => excess),
    excessSquares: sum(([excess]) => excess * excess),
    gainsUsd: sum(([, profit]) => Math.max(0, profit)),
    lossesUsd: sum(([, profit]) => Math.max(0, -profit)),
    bestExcess: Math.max(...episodes.map(([excess]) => excess)),
    bestWeight: 1,
  };
}

describe('the merit of a wallet', () => {
  test('is computed by hand for 30 episodes with an excess of 15, squares 37.5 and best 2', () => {
    const sums = { ...NONE, count: 30, excess: 15, excessSquares: 37.5 };
    const merit = smartMerit({
      ...sums,
      ...{ bestExcess: 2, bestWeight: 1, gainsUsd: 6_000, lossesUsd: 2_000 },
    });
    // Mean 15 / 40; squares 10 + 37.5 - 15 · 0.375 = 41.875; deviation √(41.875 / 40).
    expect(merit.skillMean).toBe(0.375);
    expect(merit.skillDeviation).toBeCloseTo(1.0231691, 7);
    // 0.375 - 1.2816 · 1.0231691 / √40.
    expect(merit.skillBound).toBeCloseTo(0.1676663, 7);
    // 29 episodes, excess 13, squares 33.5: mean 1/3; √((43.5 - 13/3) / 39) = 1.0021345;
    // 0.3333333 - 1.2816 · 1.0021345 / √39.
    expect(merit.boundWithoutBest).toBeCloseTo(0.1276751, 6);
    // Five of 8,000 / 30 on both sides: (6,000 + 4,000/3) / (2,000 + 4,000/3) = 2.2.
    expect(merit.logProfitFactor).toBeCloseTo(Math.log(2.2), 12);
    expect(merit.merit).toBeCloseTo(0.0419166 + 0.0319188 + 0.3942287, 6);
  });

  test('is the sum of the contributions of its terms', () => {
    const merit = smartMerit(
      sumsOf([
        [1, 100],
        [-0.5, -20],
        [0.25, 3],
      ]),
    );
    const terms = smartTerms(merit);
    expect(terms.map(({ term }) => term)).toEqual(['skill_bound', 'without_best', 'profit_factor']);
    expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBe(1);
    for (const { weight, value, contribution } of terms) expect(contribution).toBe(weight * value);
    expect(terms.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(
      merit.merit,
      12,
    );
  });

  test('has the bound of the prior without episodes: -1.2816 / √10', () => {
    const bound = -1.2816 / Math.sqrt(10);
    expect(smartMerit(NONE)).toMatchObject({ skillMean: 0, skillDeviation: 1, logProfitFactor: 0 });
    expect(smartMerit(NONE).skillBound).toBeCloseTo(bound, 12);
    expect(smartMerit(NONE).boundWithoutBest).toBeCloseTo(bound, 12);
  });

  test('is beyond luck for three wins in ten if they are large and losses small', () => {
    // As published leaderboards show: 30 % won, twelve times in forty, at three times the stake.
    const few = Array.from({ length: 40 }, (_, at) =>
      at % 10 < 3 ? ([1.3, 200] as const) : ([-0.1, -30] as const),
    );
    expect(smartMerit(sumsOf(few)).skillBound).toBeGreaterThan(0);
    expect(smartMerit(sumsOf(few)).boundWithoutBest).toBeGreaterThan(0);
  });

  test('is not beyond luck for one twentyfold gain among nine small losses', () => {
    const one = [[3, 1_900] as const, ...Array.from({ length: 9 }, () => [-0.3, -26] as const)];
    const merit = smartMerit(sumsOf(one));
    expect(merit.skillBound).toBeLessThan(0);
    expect(merit.boundWithoutBest).toBeLessThan(merit.skillBound);
  });

  test('never decreases when an episode other than the best returns more', () => {
    const episode = fc.tuple(
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.double({ min: -1_000, max: 1_000, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(episode, { minLength: 2, maxLength: 60 }), (episodes) => {
        const sums = sumsOf(episodes);
        const gained = { ...sums, gainsUsd: sums.gainsUsd + 10 };
        expect(smartMerit(gained).merit).toBeGreaterThanOrEqual(smartMerit(sums).merit - 1e-12);
        const { skillMean } = smartMerit(sums);
        expect(smartMerit({ ...sums, excess: sums.excess + 1 }).skillMean).toBeGreaterThan(
          skillMean,
        );
      }),
    );
  });
});

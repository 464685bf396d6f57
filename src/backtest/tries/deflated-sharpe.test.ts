import { describe, expect, test } from 'vitest';
import { deflatedSharpe, expectedMaximum, momentsOf } from './deflated-sharpe.ts';

describe('the deflated Sharpe ratio', () => {
  // The numerical example of Bailey and López de Prado (2014): the best of 100 tries has an annual
  // ratio of 2.5 over five years of 250 days, the variance of the annual ratios is 1/2, skewness -3,
  // kurtosis 10.
  const moments = { count: 1_250, sharpe: 2.5 / Math.sqrt(250), skewness: -3, kurtosis: 10 };
  const variance = 1 / 2 / 250;

  test('is that of the published example', () => {
    expect(expectedMaximum(100, variance)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(moments, 100, variance)).toBeCloseTo(0.9004, 4);
  });

  test('falls with each further try', () => {
    const probabilities = [1, 2, 10, 100, 1_000].map((tries) =>
      deflatedSharpe(moments, tries, variance),
    );
    expect(probabilities).toEqual([...probabilities].sort((one, other) => other - one));
    expect(new Set(probabilities).size).toBe(5);
  });

  test('has moments as computed by hand', () => {
    // Mean 2, deviations -1, -1, 2: variance 2, third moment 2, fourth moment 6.
    const found = momentsOf([1, 1, 4]);
    expect(found?.sharpe).toBeCloseTo(2 / Math.sqrt(3), 12);
    expect(found?.skewness).toBeCloseTo(2 / 2 ** 1.5, 12);
    expect(found?.kurtosis).toBeCloseTo(6 / 4, 12);
    expect(momentsOf([1])).toBeNull();
    expect(momentsOf([3, 3, 3])).toBeNull();
  });
});

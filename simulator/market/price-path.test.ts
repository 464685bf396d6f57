import { describe, expect, test } from 'vitest';
import { Random } from '../random/random.ts';
import { PricePath, type PricePathOptions } from './price-path.ts';

const OPTIONS: PricePathOptions = {
  ...{ startMs: 1_000_000, startUsd: 180, yearlyVolatility: 0.8, jumpsPerDay: 0, jumpSize: 0 },
};
const DAY_S = 86_400;

function path(seed: string, options: Partial<PricePathOptions> = {}): PricePath {
  return new PricePath(new Random(seed), { ...OPTIONS, ...options });
}

/** Logarithms of the price changes in each second of a day. */
function changesOf(walked: PricePath): number[] {
  const changes: number[] = [];
  let before = walked.at(OPTIONS.startMs);
  for (let second = 1; second <= DAY_S; second++) {
    const price = walked.at(OPTIONS.startMs + second * 1_000);
    changes.push(Math.log(price / before));
    before = price;
  }
  return changes;
}

describe('the price of SOL', () => {
  test('starts at the given price and is the same for the same seed', () => {
    const [one, same, other] = [path('a'), path('a'), path('b')];
    expect(one.at(OPTIONS.startMs + 999)).toBe(180);
    const later = OPTIONS.startMs + 3_600_000;
    const price = one.at(later);
    expect(same.at(later)).toBe(price);
    expect(other.at(later)).not.toBe(price);
  });

  test('does not depend on how often it is read', () => {
    const [often, once] = [path('a'), path('a')];
    for (let second = 0; second < 500; second++) often.at(OPTIONS.startMs + second * 700);
    expect(often.at(OPTIONS.startMs + 350_000)).toBe(once.at(OPTIONS.startMs + 350_000));
  });

  test('varies according to the volatility', () => {
    const changes = changesOf(path('volatility'));
    const variance = changes.reduce((sum, change) => sum + change * change, 0) / DAY_S;
    const yearly = Math.sqrt(variance * DAY_S * 365.25);
    // The standard error of the deviation of 86,400 draws is 0.24 %; four of those.
    expect(Math.abs(yearly / 0.8 - 1)).toBeLessThan(0.01);
  });

  test('jumps at the given rate', () => {
    const jumping = path('jumps', { yearlyVolatility: 0.01, jumpsPerDay: 100, jumpSize: 0.05 });
    const jumps = changesOf(jumping).filter((change) => Math.abs(change) > 1e-4).length;
    // A Poisson number of mean 100 is within four deviations of 10.
    expect(Math.abs(jumps - 100)).toBeLessThan(40);
  });
});

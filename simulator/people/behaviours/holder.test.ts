import { describe, expect, test } from 'vitest';
import { episodesOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('holders', { casual: 60, holder: 60 });
market.planLaunches(4, 100, [0.5, 0.8]);
market.run(3_000);
const mints = new Set(market.launches.map(({ mint }) => mint));

describe('holders', () => {
  test('sell far less often than the crowd, which bought the same tokens', () => {
    const keptShare = (kind: 'holder' | 'casual'): number => {
      const episodes = episodesOf(market.blocks, market.walletsOf(kind), mints);
      expect(episodes.length).toBeGreaterThan(30);
      return episodes.filter(({ sells }) => sells === 0).length / episodes.length;
    };
    expect(keptShare('holder')).toBeGreaterThan(0.8);
    expect(keptShare('casual')).toBeLessThan(0.7);
  });
});

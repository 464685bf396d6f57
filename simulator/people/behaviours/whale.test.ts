import { describe, expect, test } from 'vitest';
import { boughtLamports, episodesOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('whales', { casual: 300, terminalUser: 100, whale: 30 });
market.planLaunches(3, 100, [0.85, 0.95]);
market.run(4_000);
const mints = new Set(market.launches.map(({ mint }) => mint));
const episodes = episodesOf(market.blocks, market.walletsOf('whale'), mints);

describe('whales', () => {
  test('buy deep tokens, minutes after their creation', () => {
    const created = new Map(market.world.truth.launches.map(({ mint, slot }) => [mint, slot]));
    expect(episodes.length).toBeGreaterThan(5);
    for (const { mint, firstSlot } of episodes) {
      expect(firstSlot - (created.get(mint) ?? firstSlot)).toBeGreaterThan(180_000 / 440);
    }
  });

  test('spend four SOL or more on each, which is rare in the crowd', () => {
    // Some have less left than their intended size.
    for (const { paidLamports } of episodes) expect(paidLamports).toBeGreaterThan(3n * SOL);
    const sizes = market.blocks.flatMap(({ transactions }) => transactions.flatMap(boughtLamports));
    const large = sizes.filter((size) => size >= 4n * SOL).length;
    expect(large / sizes.length).toBeLessThan(0.1);
  });
});

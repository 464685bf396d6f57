import { describe, expect, test } from 'vitest';
import { episodesOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const SLOTS_PER_MINUTE = 150;
const market = new PeopleMarket('scalpers', { casual: 120, handScalper: 120 });
market.planLaunches(30, 2_500, [0.4, 0.8]);
market.run(4_000);
const mints = new Set(market.launches.map(({ mint }) => mint));
const scalpers = market.walletsOf('handScalper');
const episodes = episodesOf(market.blocks, scalpers, mints);

describe('manual scalpers', () => {
  test('sell most tokens within five minutes', () => {
    const left = episodes.filter(({ heldRaw }) => heldRaw === 0n);
    const slots = left
      .map(({ firstSlot, lastSlot }) => lastSlot - firstSlot)
      .sort((one, other) => one - other);
    expect(left.length).toBeGreaterThan(15);
    expect(slots[slots.length >> 1]).toBeLessThan(5 * SLOTS_PER_MINUTE);
  });

  test('never buy within fifteen seconds of the creation: they read the chart first', () => {
    const created = new Map(market.world.truth.launches.map(({ mint, slot }) => [mint, slot]));
    for (const { mint, firstSlot } of episodes) {
      // Slots may be a tenth longer than 400 ms.
      expect(firstSlot - (created.get(mint) ?? firstSlot)).toBeGreaterThan(15_000 / 440);
    }
  });

  test('are active for some hours a day only: most are inactive in these 27 minutes', () => {
    const active = new Set(episodes.map(({ wallet }) => wallet)).size;
    expect(active).toBeGreaterThan(0);
    expect(active).toBeLessThan(scalpers.size / 2);
  });
});

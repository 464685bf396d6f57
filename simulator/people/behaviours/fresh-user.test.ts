import { describe, expect, test } from 'vitest';
import { episodesOf, keysOf, placed, transfersOf } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('fresh', { freshUser: 60 });
market.planLaunches(4, 200, [0.5, 0.8]);
market.run(900);
const people = market.walletsOf('freshUser');

describe('fresh users', () => {
  test('are not on chain before an exchange pays them, and buy after that', () => {
    const mints = new Set(market.launches.map(({ mint }) => mint));
    const episodes = episodesOf(market.blocks, people, mints);
    const first = new Map<string, { isPaid: boolean; slot: number }>();
    for (const { transaction, slot } of placed(market.blocks)) {
      const transfers = transfersOf(transaction);
      for (const key of keysOf(transaction)) {
        if (!people.has(key) || first.has(key)) continue;
        const payment = transfers.find(({ to }) => to === key);
        const isPaid = payment !== undefined && market.exchanges.includes(payment.from);
        first.set(key, { isPaid, slot });
      }
    }
    expect(episodes.length).toBeGreaterThan(60);
    for (const { wallet, firstSlot } of episodes) {
      expect(first.get(wallet)?.isPaid).toBe(true);
      expect(first.get(wallet)?.slot).toBeLessThanOrEqual(firstSlot);
    }
  });

  test('are paid in batches with others, in uneven amounts', () => {
    const batches = placed(market.blocks)
      .map(({ transaction }) => transfersOf(transaction))
      .filter((transfers) => transfers.some(({ from }) => market.exchanges.includes(from)));
    const sums = batches.flat().map(({ lamports }) => lamports);
    expect(batches.some(({ length }) => length > 1)).toBe(true);
    expect(new Set(sums).size / sums.length).toBeGreaterThan(0.9);
  });

  test('abandon their wallet after some tokens, and new users begin', () => {
    expect(people.size).toBeGreaterThan(60);
  });
});

import { describe, expect, test } from 'vitest';
import { boughtLamports, episodesOf, placed } from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('casual', { casual: 80 });
market.planLaunches(4, 100, [0.5, 0.8]);
market.run(3_000);
const people = market.walletsOf('casual');
const mints = new Set(market.launches.map(({ mint }) => mint));

describe('casual traders', () => {
  test('use a preset size of a trading site about half of the time', () => {
    const presets = new Set([0.05, 0.1, 0.25, 0.5, 1].map((sol) => BigInt(sol * 1e9)));
    const sizes = placed(market.blocks).flatMap(({ transaction }) => boughtLamports(transaction));
    const share = sizes.filter((size) => presets.has(size)).length / sizes.length;
    expect(sizes.length).toBeGreaterThan(150);
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });

  test('trade several tokens and sell what they bought, some at a profit and some at a loss', () => {
    const episodes = episodesOf(market.blocks, people, mints);
    const tokensOf = new Map<string, number>();
    for (const { wallet } of episodes) tokensOf.set(wallet, (tokensOf.get(wallet) ?? 0) + 1);
    const closed = episodes.filter(({ heldRaw }) => heldRaw === 0n);
    const won = closed.filter(({ gotLamports, paidLamports }) => gotLamports > paidLamports);
    expect([...tokensOf.values()].filter((count) => count >= 2).length).toBeGreaterThan(20);
    expect(closed.length).toBeGreaterThan(40);
    expect(won.length / closed.length).toBeGreaterThan(0.1);
    expect(won.length / closed.length).toBeLessThan(0.9);
    const total = episodes.reduce(
      (sum, { gotLamports, paidLamports }) => sum + gotLamports - paidLamports,
      0n,
    );
    expect(total).toBeLessThan(0n);
  });

  test('are organic and not smart in the ground truth', () => {
    for (const wallet of people) {
      expect(market.world.truth.labels.wallets.get(wallet)).toMatchObject({
        automation: 'organic',
        isSmart: false,
      });
    }
  });

  test('fail on chain now and then, because prices move while they click', () => {
    expect(market.world.truth.failed).toBeGreaterThan(0);
    expect(market.world.truth.failed / market.world.truth.transactions).toBeLessThan(0.3);
  });
});

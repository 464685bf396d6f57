import { describe, expect, test } from 'vitest';
import {
  episodesOf,
  placed,
  tokenChange,
  transfersOf,
} from '../../../tests/support/block-readings.ts';
import { PeopleMarket } from '../../../tests/support/people-market.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';

const SLOTS = 1_400;
const market = new PeopleMarket('sniper', { sniper: 20, casual: 40 });
market.planLaunches(16, 600, [0.2, 0.6]);
market.run(SLOTS);
const snipers = market.walletsOf('sniper');
const mints = new Set(market.launches.map(({ mint }) => mint));
const episodes = episodesOf(market.blocks, snipers, mints);
const creationSlot = new Map(market.world.truth.launches.map(({ mint, slot }) => [mint, slot]));
const lags = episodes.map(({ mint, firstSlot }) => firstSlot - (creationSlot.get(mint) ?? 0));

describe('snipers', () => {
  test('mostly buy in the block of the creation, some a few slots later', () => {
    expect(lags.length).toBeGreaterThan(50);
    expect(Math.min(...lags)).toBe(0);
    expect(lags.filter((lag) => lag <= 2).length / lags.length).toBeGreaterThan(0.5);
    expect(lags.filter((lag) => lag > 2).length).toBeGreaterThan(0);
    expect(Math.max(...lags)).toBeLessThanOrEqual(8);
  });

  test('pay one tip each in every purchase and have no connection with each other', () => {
    for (const { transaction } of placed(market.blocks)) {
      const transfers = transfersOf(transaction);
      const between = transfers.filter(({ from, to }) => snipers.has(from) && snipers.has(to));
      expect(between).toEqual([]);
      const buyers = [...snipers].filter((wallet) =>
        [...mints].some((mint) => tokenChange(transaction, wallet, mint) > 0n),
      );
      if (buyers.length === 0) continue;
      const tips = transfers.filter(({ to }) => JITO_TIP_ACCOUNTS.includes(to));
      expect(tips.map(({ from }) => from)).toEqual(buyers);
    }
  });

  test('do so repeatedly, and sell within minutes', () => {
    const tokensOf = new Map<string, number>();
    for (const { wallet } of episodes) tokensOf.set(wallet, (tokensOf.get(wallet) ?? 0) + 1);
    expect(Math.max(...tokensOf.values())).toBeGreaterThanOrEqual(5);
    const holds = episodes
      .filter(({ heldRaw }) => heldRaw === 0n)
      .map(({ firstSlot, lastSlot }) => (lastSlot - firstSlot) * 0.4)
      .sort((one, other) => one - other);
    expect(holds.length / episodes.length).toBeGreaterThan(0.7);
    expect(holds[holds.length >> 1]).toBeLessThan(300);
  });
});

import { describe, expect, test } from 'vitest';
import { lamportChange, placed, tokenChange } from '../../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../../tests/support/people-market.ts';

const market = new PeopleMarket('arbitrage', {
  casual: 200,
  terminalUser: 60,
  marketMaker: 1,
  arbitrageur: 4,
});
market.planLaunch(500, 0.9, 100n * SOL);
market.run(1_000);
const people = market.walletsOf('arbitrageur');
const mint = market.launches[0]?.mint;
const trips = placed(market.blocks).flatMap(({ transaction, txIndex }) =>
  [...people]
    .filter((wallet) => transaction.staticKeys[0] === wallet)
    .map((wallet) => ({ wallet, transaction, txIndex })),
);
const landed = trips.filter(({ transaction }) => transaction.error === null);

describe('arbitrageurs', () => {
  test('keep no token and gain lamports, after fees and tip, in every successful transaction', () => {
    if (mint === undefined) throw new Error('nothing was launched');
    expect(landed.length).toBeGreaterThan(5);
    // Rent of the token account, paid once.
    const rent = 2_039_280n;
    for (const { wallet, transaction } of landed) {
      expect(tokenChange(transaction, wallet, mint)).toBe(0n);
      expect(lamportChange(transaction, wallet)).toBeGreaterThan(-rent);
    }
    const gain = landed.reduce(
      (sum, { wallet, transaction }) => sum + lamportChange(transaction, wallet),
      0n,
    );
    expect(gain).toBeGreaterThan(0n);
  });

  test('use two pools: one gains tokens, the other loses them', () => {
    for (const { transaction, wallet } of landed) {
      const changes = new Map<string, bigint>();
      for (const { owner, mint: of, beforeRaw, afterRaw } of transaction.tokenBalances) {
        if (of !== mint || owner === wallet) continue;
        changes.set(owner, (changes.get(owner) ?? 0n) + (afterRaw ?? 0n) - (beforeRaw ?? 0n));
      }
      const moved = [...changes.values()].filter((change) => change !== 0n);
      expect(moved).toHaveLength(2);
      expect(moved.reduce((sum, change) => sum + change, 0n)).toBe(0n);
    }
  });

  test('sometimes lose the race, which only costs them the network fee', () => {
    const lost = trips.filter(({ transaction }) => transaction.error !== null);
    for (const { wallet, transaction } of lost) {
      expect(lamportChange(transaction, wallet)).toBe(-transaction.feeLamports);
    }
    expect(lost.length).toBeGreaterThan(0);
  });
});

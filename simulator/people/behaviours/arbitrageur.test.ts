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
  test('keep no token and gain lamports, fees and tip paid, in every transaction that succeeds', () => {
    if (mint === undefined) throw new Error('nothing was launched');
    expect(landed.length).toBeGreaterThan(5);
    // Making the token account costs its rent once.
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

  test('go through two pools: the one is left with more of the token, the other with less', () => {
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

  test('lose the race at times, which costs them the network fee alone', () => {
    const lost = trips.filter(({ transaction }) => transaction.error !== null);
    for (const { wallet, transaction } of lost) {
      expect(lamportChange(transaction, wallet)).toBe(-transaction.feeLamports);
    }
    expect(lost.length).toBeGreaterThan(0);
  });
});

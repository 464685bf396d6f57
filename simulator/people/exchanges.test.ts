import { describe, expect, test } from 'vitest';
import { placed, transfersOf } from '../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { Exchanges, jittered } from './exchanges.ts';
import { endow, lamportsOf } from './wallets.ts';

const FEE = 1_000_000n;

describe('exchanges', () => {
  test('pay withdrawals of a few seconds in one transaction, ten at most, minus their fee', () => {
    const market = new PeopleMarket('batch', {});
    const { world } = market;
    const hotWallet = market.exchanges[0];
    const people = Array.from({ length: 13 }, () => world.keyring.wallet());
    const exchanges = new Exchanges(world, { hotWallets: market.exchanges, bridges: [] });
    let paid = 0;
    for (const [index, person] of people.entries()) {
      exchanges.withdraw(person, BigInt(index + 1) * SOL, () => paid++, hotWallet);
    }
    market.run(25);
    const batches = placed(market.blocks).map(({ transaction }) => transfersOf(transaction));
    expect(batches.map(({ length }) => length)).toEqual([10, 3]);
    expect(batches.flat()).toEqual(
      people.map((to, index) => ({
        from: hotWallet,
        to,
        lamports: BigInt(index + 1) * SOL - FEE,
      })),
    );
    expect(paid).toBe(13);
  });

  test('pay bridge transfers in a separate transaction, from the bridge', () => {
    const market = new PeopleMarket('bridge', {});
    const { world } = market;
    const bridge = world.keyring.wallet();
    endow(world, bridge, 100n * SOL);
    const exchanges = new Exchanges(world, { hotWallets: market.exchanges, bridges: [bridge] });
    const people = [world.keyring.wallet(), world.keyring.wallet()];
    for (const person of people) exchanges.bridge(person, SOL);
    market.run(3);
    expect(placed(market.blocks).map(({ transaction }) => transfersOf(transaction))).toEqual(
      people.map((to) => [{ from: bridge, to, lamports: SOL }]),
    );
    for (const address of people) expect(lamportsOf(world, { address })).toBe(SOL);
  });

  test('are rejected without a hot wallet', () => {
    const { world } = new PeopleMarket('none', {});
    expect(() => new Exchanges(world, { hotWallets: [], bridges: [] })).toThrow(RangeError);
  });

  test('pay out uneven amounts: at most a tenth less than typed', () => {
    const { random } = new PeopleMarket('uneven', {});
    const sums = Array.from({ length: 500 }, () => jittered(random, SOL));
    expect(new Set(sums).size).toBeGreaterThan(300);
    for (const sum of sums) {
      expect(sum).toBeLessThanOrEqual(SOL);
      expect(sum).toBeGreaterThanOrEqual((SOL * 9n) / 10n);
    }
  });
});

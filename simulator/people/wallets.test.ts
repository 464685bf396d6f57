import { describe, expect, test } from 'vitest';
import { placed, transfersOf } from '../../tests/support/block-readings.ts';
import { PeopleMarket, SOL } from '../../tests/support/people-market.ts';
import { Exchanges } from './exchanges.ts';
import { PLAIN_CLIENT } from './trade-order.ts';
import { endow, Funding, heldRaw, lamportsOf, lamportsOfSol, openWallet } from './wallets.ts';

const LABEL = { automation: 'organic', isSmart: false } as const;

describe('wallets', () => {
  test('are in the ground truth from the start and hold nothing', () => {
    const { world } = new PeopleMarket('open', {});
    const person = openWallet(world, 'casual', LABEL, PLAIN_CLIENT);
    expect(world.truth.labels.wallets.get(person.address)).toEqual({
      ...LABEL,
      behaviour: 'casual',
    });
    expect(lamportsOf(world, person)).toBe(0n);
    expect(heldRaw(world, person, world.keyring.account())).toBe(0n);
  });

  test('can be endowed with lamports before the first slot, and never after', () => {
    const market = new PeopleMarket('endow', {});
    const { address } = openWallet(market.world, 'casual', LABEL, PLAIN_CLIENT);
    endow(market.world, address, 2n * SOL);
    endow(market.world, address, SOL);
    expect(lamportsOf(market.world, { address })).toBe(3n * SOL);
    market.run(1);
    expect(() => endow(market.world, address, SOL)).toThrow('only be transferred');
  });

  test('convert SOL to integer lamports', () => {
    expect(lamportsOfSol(0.1)).toBe(100_000_000n);
    expect(lamportsOfSol(0.3)).toBe(300_000_000n);
  });
});

describe('funding', () => {
  test('comes mostly from exchanges, and sometimes from rich friends, always as a transfer', () => {
    const market = new PeopleMarket('funding', {});
    const { world } = market;
    const wallets = { hotWallets: market.exchanges, bridges: [] };
    const funding = new Funding(world, new Exchanges(world, wallets));
    const friend = openWallet(world, 'casual', LABEL, PLAIN_CLIENT);
    endow(world, friend.address, 1_000n * SOL);
    funding.befriend(friend);
    const people = Array.from({ length: 200 }, () =>
      openWallet(world, 'casual', LABEL, PLAIN_CLIENT),
    );
    let funded = 0;
    for (const person of people) funding.fund(person, SOL, () => funded++);
    market.run(40);
    const transfers = placed(market.blocks).flatMap(({ transaction }) => transfersOf(transaction));
    const loans = transfers.filter(({ from }) => from === friend.address).length;
    expect(transfers).toHaveLength(200);
    expect(funded).toBe(200);
    // Twelve in a hundred are loans from friends: 24, with a standard deviation below five.
    expect(loans).toBeGreaterThan(8);
    expect(loans).toBeLessThan(44);
    for (const { from, lamports } of transfers) {
      expect(from === friend.address || market.exchanges.includes(from)).toBe(true);
      expect(lamports).toBeLessThanOrEqual(SOL);
    }
  });

  test('does not come from friends with little money', () => {
    const market = new PeopleMarket('poor', {});
    const { world } = market;
    const wallets = { hotWallets: market.exchanges, bridges: [] };
    const funding = new Funding(world, new Exchanges(world, wallets));
    const friend = openWallet(world, 'casual', LABEL, PLAIN_CLIENT);
    endow(world, friend.address, 2n * SOL);
    funding.befriend(friend);
    for (let count = 0; count < 50; count++) {
      funding.fund(openWallet(world, 'casual', LABEL, PLAIN_CLIENT), SOL);
    }
    market.run(40);
    const transfers = placed(market.blocks).flatMap(({ transaction }) => transfersOf(transaction));
    expect(transfers).toHaveLength(50);
    expect(transfers.filter(({ from }) => from === friend.address)).toEqual([]);
  });
});

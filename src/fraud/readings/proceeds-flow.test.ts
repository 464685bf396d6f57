import { describe, expect, it } from 'vitest';
import {
  aBuy,
  aCase,
  aPayment,
  aSell,
  type CaseDraft,
  sol,
} from '../../../tests/support/mint-case.ts';
import { orderCase } from './case-order.ts';
import { followProceeds } from './proceeds-flow.ts';

const LATE_MS = Number.MAX_SAFE_INTEGER;

/**
 * A sale for 10 SOL at slot 2000, payments, one per slot, then a purchase for 8 SOL by
 * `j`.
 */
function flowOf(
  payments: readonly (readonly [from: string, to: string, whole: number])[],
  rest: CaseDraft = {},
) {
  const sale = aSell('seller', { slot: 2_000, lamports: sol(10) });
  const buy = aBuy('j', { slot: 2_100, lamports: sol(8) });
  const mintCase = orderCase(
    aCase({
      trades: [sale, buy, ...(rest.trades ?? [])],
      payments: payments.map(([from, to, whole], at) =>
        aPayment(from, to, { slot: 2_001 + at, lamports: sol(whole) }),
      ),
      wallets: rest.wallets ?? {},
    }),
  );
  const flow = followProceeds(mintCase, [sale], LATE_MS);
  return { spent: flow.spentOn(buy), route: flow.route.map(({ from, to }) => `${from} ${to}`) };
}

describe('proceeds of a sale', () => {
  it('pay for a purchase as far as they suffice', () => {
    expect(flowOf([['seller', 'j', 9]]).spent).toBe(sol(8));
    expect(flowOf([['seller', 'j', 5]]).spent).toBe(sol(5));
    expect(flowOf([]).spent).toBe(0n);
  });

  it('do not depend on what wallets without proceeds did, except for what they paid the others', () => {
    const plain = flowOf([
      ['seller', 'a', 8],
      ['b', 'a', 8],
      ['a', 'j', 8],
    ]);
    const others = flowOf([
      ['d', 'b', 50],
      ['seller', 'a', 8],
      ['b', 'a', 8],
      ['b', 'c', 3],
      ['a', 'j', 8],
    ]);
    // Half of what `a` holds are proceeds.
    expect(plain.spent).toBe(sol(4));
    expect(others).toEqual(plain);
  });

  it('are never more than the sale brought', () => {
    expect(
      flowOf([
        ['seller', 'a', 100],
        ['a', 'j', 100],
      ]).spent,
    ).toBe(sol(8));
    const twice = flowOf([
      ['seller', 'a', 7],
      ['seller', 'j', 7],
    ]);
    // Three are left for the second payment; its rest is older money.
    expect(twice.spent).toBe(sol(3));
  });

  it('are spent before other money, in any order of receipt', () => {
    const friend = ['friend', 'j', 6] as const;
    const seller = ['seller', 'j', 5] as const;
    expect(flowOf([friend, seller]).spent).toBe(sol(5));
    expect(flowOf([seller, friend]).spent).toBe(sol(5));
  });

  it('are in every payment of a wallet to the same part', () => {
    // Of the 40 that `a` has, 10 are proceeds: 4 of each 16 that it pays.
    const split = [
      ['friend', 'a', 30],
      ['seller', 'a', 10],
    ] as const;
    expect(flowOf([...split, ['a', 'j', 16], ['a', 'k', 16]]).spent).toBe(sol(4));
    expect(flowOf([...split, ['a', 'k', 16], ['a', 'j', 16]]).spent).toBe(sol(4));
  });

  it('are followed over three payments', () => {
    const three = [
      ['seller', 'a', 9],
      ['a', 'b', 9],
      ['b', 'j', 9],
    ] as const;
    expect(flowOf(three).spent).toBe(sol(8));
    const four = [
      ['seller', 'a', 9],
      ['a', 'b', 9],
      ['b', 'c', 9],
      ['c', 'j', 9],
    ] as const;
    expect(flowOf(four).spent).toBe(0n);
    // Payments by shells are not counted.
    expect(flowOf(four, { wallets: { b: { isShell: true } } }).spent).toBe(sol(8));
  });

  it.each(['cex', 'hub', 'bridge', 'sponsor'] as const)('are lost in a %s', (shared) => {
    const payments = [
      ['seller', 'box', 9],
      ['box', 'j', 9],
    ] as const;
    expect(flowOf(payments, { wallets: { box: { class: shared } } }).spent).toBe(0n);
    expect(flowOf(payments).spent).toBe(sol(8));
  });

  it('are used up when spent on another purchase', () => {
    const trades = [aBuy('a', { slot: 2_001, txIndex: 1, lamports: sol(9) })];
    expect(
      flowOf(
        [
          ['seller', 'a', 9],
          ['a', 'j', 9],
        ],
        { trades },
      ).spent,
    ).toBe(0n);
  });

  it('have a route that leads to a purchase', () => {
    const { route } = flowOf([
      ['seller', 'a', 4],
      ['seller', 'aside', 2],
      ['a', 'j', 4],
      ['aside', 'else', 2],
    ]);
    expect(route).toEqual(['seller a', 'a j']);
  });

  it('have no route after the purchase', () => {
    const late = flowOf([['seller', 'j', 9]]);
    expect(late.route).toEqual(['seller j']);
    const sale = aSell('seller', { slot: 2_000, lamports: sol(10) });
    const buy = aBuy('j', { slot: 2_001, lamports: sol(8) });
    const payments = [aPayment('seller', 'j', { slot: 2_002, lamports: sol(9) })];
    const flow = followProceeds(
      orderCase(aCase({ trades: [sale, buy], payments })),
      [sale],
      LATE_MS,
    );
    expect(flow.spentOn(buy)).toBe(0n);
    expect(flow.route).toEqual([]);
  });

  it('may be received, sent on and spent in one transaction', () => {
    const ref = { slot: 2_000, txIndex: 3, signature: 'one' };
    const sale = aSell('seller', { ...ref, lamports: sol(10) });
    const buy = aBuy('j', { ...ref, lamports: sol(8) });
    const payments = [aPayment('seller', 'j', { ...ref, lamports: sol(9) })];
    const flow = followProceeds(
      orderCase(aCase({ trades: [buy, sale], payments })),
      [sale],
      LATE_MS,
    );
    expect(flow.spentOn(buy)).toBe(sol(8));
  });
});

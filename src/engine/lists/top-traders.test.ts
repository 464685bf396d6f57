import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { DOLLAR, f1, fold, mint, START_MS } from '../../../tests/support/master-fixture.ts';
import { averagePriceOf, profitOf, unrealisedOf } from '../../model/position-worth.ts';
import type { TraderCursor, TraderOrder } from '../../model/token-wallets.ts';

const NAMES = ['A', 'B', 'C', 'X', 'creator'];
const nameOf = new Map(NAMES.map((name) => [address(name), name]));

/**
 * METHODS §0.10, fixture F1, by hand at the last price of $0.0002. A bought 1 M for $200, sold half
 * of it for $200 and holds the rest at its cost of $100. B lost $100. C holds 500 k, worth $100,
 * bought for $200. X lost $2 in each of three round trips.
 */
const BY_PROFIT = [
  { name: 'A', realised: 100n, unrealised: 0n },
  { name: 'X', realised: -6n, unrealised: 0n },
  { name: 'B', realised: -100n, unrealised: 0n },
  { name: 'C', realised: 0n, unrealised: -100n },
];

describe('the top traders of a mint', () => {
  const { engine } = fold(f1());
  const page = (orderBy: TraderOrder, after: TraderCursor | null = null, limit = 10) =>
    engine.walletReads.topTraders({ mint, orderBy, after, limit });
  const namesOf = ({ traders }: ReturnType<typeof page>) =>
    traders.map(({ wallet }) => nameOf.get(wallet));

  test('have the profits of their trades at average cost, the older first among equals', () => {
    const { traders, next } = page('profit');
    const read = traders.map(({ wallet, position }) => ({
      name: nameOf.get(wallet),
      realised: position.realisedUsd / DOLLAR,
      unrealised: (unrealisedOf(position) ?? 1n) / DOLLAR,
    }));
    expect(read).toEqual(BY_PROFIT);
    expect(next).toBeNull();
    const [first] = traders;
    expect(first?.position).toMatchObject({ buys: 1, sells: 1, firstBuyMs: START_MS + 10_000 });
    // $100 for 500,000 tokens.
    expect(first && averagePriceOf(first.position)).toBe(2n * 10n ** 14n);
    expect(first && profitOf(first.position)).toBe(100n * DOLLAR);
  });

  test('are ordered by realised profit alone when asked', () => {
    expect(namesOf(page('realised'))).toEqual(['A', 'C', 'X', 'B']);
  });

  test.each(['profit', 'realised'] as const)(
    'by %s are each listed once, for any limit',
    (orderBy) => {
      for (const limit of [1, 2, 3, 4]) {
        const listed: unknown[] = [];
        let after: TraderCursor | null = null;
        do {
          const read = page(orderBy, after, limit);
          listed.push(...namesOf(read));
          after = read.next;
        } while (after !== null);
        expect(listed).toEqual(namesOf(page(orderBy)));
      }
    },
  );

  test('have a wallet answer, and their class', () => {
    for (const { wallet, standing } of page('profit').traders) {
      const record = engine.wallet(wallet);
      expect(record?.automation?.class).toBe(standing.walletClass);
      expect(record?.positions).toContainEqual(standing.position);
    }
    expect(page('profit').traders.map(({ standing }) => standing.walletClass)).toEqual([
      'organic',
      'bot',
      'organic',
      'organic',
    ]);
  });

  test('of an unknown mint are none', () => {
    const query = { mint: address('other'), orderBy: 'profit', after: null, limit: 1 } as const;
    expect(engine.walletReads.topTraders(query)).toEqual({ traders: [], next: null });
  });
});

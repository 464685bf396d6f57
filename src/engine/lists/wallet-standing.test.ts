import { describe, expect, test } from 'vitest';
import { transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  createTrader,
  fold,
  launch,
  mint,
  pool,
  SOL,
  second,
} from '../../../tests/support/master-fixture.ts';
import { asLamports } from '../../model/units.ts';

const [creator, funder, friend, stranger] = ['creator', 'funder', 'friend', 'stranger'].map(
  address,
);

describe('holders of a mint', () => {
  const trade = createTrader();
  const paid = (from: string, to: string) =>
    transactionFacts({
      txIndex: 0,
      signers: [address(from)],
      events: [
        {
          ...{ kind: 'solTransfer', transferKind: 'transfer', outerIx: 0, innerIx: -1 },
          ...{ from: address(from), to: address(to), lamports: asLamports(5n * SOL) },
        },
      ],
    });
  const { engine } = fold([
    second(0, paid('funder', 'creator')),
    second(1, launch()),
    second(2, paid('funder', 'friend')),
    second(3, paid('other funder', 'stranger')),
    second(10, trade('friend', 'buy', SOL, 1_000_000n)),
    second(11, trade('stranger', 'buy', SOL, 1_000_000n)),
  ]);
  const { holders } = engine.holderPage({ mint, after: null, limit: 10 });
  const standingOf = (owner: typeof creator) =>
    holders.find((one) => one.owner === owner)?.standing;

  test('are in the cluster of their first funder, insiders if it also paid the creator', () => {
    expect(standingOf(friend)).toMatchObject({ cluster: funder, labels: ['insider'] });
    expect(standingOf(stranger)).toMatchObject({ cluster: address('other funder'), labels: [] });
  });

  test('have their position, and pools have none', () => {
    expect(standingOf(friend)?.position).toMatchObject({ buys: 1, sells: 0, mint });
    expect(standingOf(pool)).toBeNull();
  });

  test('that created the mint are named so', () => {
    const withSale = fold([
      second(0, launch()),
      second(1, createTrader()('creator', 'buy', SOL, 1_000n)),
    ]).engine;
    const page = withSale.holderPage({ mint, after: null, limit: 10 });
    const own = page.holders.find(({ owner }) => owner === creator);
    expect(own?.standing?.labels).toEqual(['creator']);
  });
});

import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asUsdNano, type UsdNano } from '../../model/units.ts';
import { SmartFlowBook, type SmartTrade } from './smart-flow.ts';

const POOL = address('pool');
const [A, B] = [address('A'), address('B')];
const CLUSTER = address('funder');

function trade(parts: Partial<SmartTrade> & { readonly dollars?: number }): SmartTrade {
  const { dollars = 100, ...rest } = parts;
  return {
    timeMs: 0,
    wallet: A,
    cluster: null,
    score: 80,
    side: 'buy',
    isEligible: true,
    ...rest,
    valueUsd: usd(dollars),
  };
}

function usd(dollars: number): UsdNano {
  return asUsdNano(BigInt(Math.round(dollars * 1e9)));
}

function bookOf(...trades: readonly SmartTrade[]): SmartFlowBook {
  const book = new SmartFlowBook();
  for (const each of trades) book.add(POOL, each);
  return book;
}

describe('the ten-minute window', () => {
  test('includes a trade of second 0 at second 599, but not at second 600', () => {
    const book = bookOf(trade({}));
    expect(book.flows(POOL, 599_999).rawInfluxUsd).toBe(usd(100));
    expect(book.flows(POOL, 600_000).rawInfluxUsd).toBe(0n);
  });

  test('ends now, also after a long time without trades', () => {
    const book = bookOf(trade({ timeMs: 0 }), trade({ timeMs: 300_000, dollars: 7 }));
    expect(book.flows(POOL, 700_000).rawInfluxUsd).toBe(usd(7));
    expect(book.flows(POOL, 10 ** 12).rawInfluxUsd).toBe(0n);
  });

  test('collects a thousand trades of one second, and drops them together', () => {
    const book = new SmartFlowBook();
    for (let index = 0; index < 1_000; index++) {
      book.add(POOL, trade({ timeMs: 5_000, side: index % 2 === 0 ? 'buy' : 'sell', dollars: 1 }));
    }
    expect([...book.digestRows()]).toHaveLength(1);
    expect(book.flows(POOL, 604_999)).toMatchObject({
      rawInfluxUsd: usd(500),
      rawOutfluxUsd: usd(500),
    });
    expect(book.flows(POOL, 605_000)).toMatchObject({ rawInfluxUsd: 0n, rawOutfluxUsd: 0n });
  });

  test('leaves nothing behind in pools where it has passed', () => {
    const book = bookOf(trade({}));
    book.add(address('other'), trade({ timeMs: 400_000 }));
    book.dropExpired(600_000);
    expect(book.poolCount).toBe(1);
    book.dropExpired(1_000_000);
    expect([...book.digestRows()]).toEqual([]);
  });
});

describe('weights', () => {
  test('are the score divided by 100 at the time of each trade', () => {
    const book = bookOf(trade({ score: 80 }), trade({ score: 50, timeMs: 1_000 }));
    expect(book.flows(POOL, 1_000)).toEqual({
      influxUsd: usd(80 + 50),
      outfluxUsd: 0n,
      rawInfluxUsd: usd(200),
      rawOutfluxUsd: 0n,
    });
  });

  test('exclude insiders and bots, which the raw figure includes', () => {
    const book = bookOf(
      trade({ side: 'sell', isEligible: false }),
      trade({ side: 'sell', wallet: B }),
    );
    expect(book.flows(POOL, 0)).toMatchObject({ outfluxUsd: usd(80), rawOutfluxUsd: usd(200) });
  });
});

describe('a funding cluster', () => {
  const inCluster = { cluster: CLUSTER };

  test('counts only with its highest-scored wallet, in the raw figure with all', () => {
    const book = bookOf(
      trade({ ...inCluster, wallet: A, score: 60, dollars: 1_000 }),
      trade({ ...inCluster, wallet: B, score: 90, dollars: 10 }),
      trade({ ...inCluster, wallet: B, score: 90, dollars: 20, timeMs: 1_000 }),
    );
    expect(book.flows(POOL, 1_000)).toMatchObject({ influxUsd: usd(27), rawInfluxUsd: usd(1_030) });
  });

  test('with equal scores counts with the wallet of higher volume', () => {
    const book = bookOf(
      trade({ ...inCluster, wallet: A, dollars: 10 }),
      trade({ ...inCluster, wallet: B, dollars: 20 }),
    );
    expect(book.flows(POOL, 0).influxUsd).toBe(usd(16));
  });

  test('counts once in each direction', () => {
    const book = bookOf(
      trade({ ...inCluster, wallet: A, dollars: 10 }),
      trade({ ...inCluster, wallet: B, dollars: 20, side: 'sell' }),
    );
    expect(book.flows(POOL, 0)).toMatchObject({ influxUsd: usd(8), outfluxUsd: usd(16) });
  });

  test('does not include a wallet without a cluster that it is named by', () => {
    const book = bookOf(
      trade({ ...inCluster, wallet: A, dollars: 10 }),
      trade({ wallet: CLUSTER, dollars: 20 }),
    );
    expect(book.flows(POOL, 0).influxUsd).toBe(usd(24));
  });
});

test('undoing trades also restores the entries that they displaced', () => {
  const undo = new UndoLog(1);
  const book = new SmartFlowBook(undo);
  book.add(POOL, trade({}));
  book.add(POOL, trade({ timeMs: 100_000 }));
  const before = [...book.digestRows()];
  undo.open();
  book.add(POOL, trade({ timeMs: 650_000 }));
  book.add(POOL, trade({ timeMs: 650_000, wallet: B }));
  book.add(address('new'), trade({ timeMs: 650_000 }));
  book.dropExpired(700_000);
  undo.close();
  expect(book.flows(POOL, 650_000).rawInfluxUsd).toBe(usd(200));
  undo.undo();
  expect([...book.digestRows()]).toEqual(before);
  expect(book.flows(POOL, 100_000).rawInfluxUsd).toBe(usd(200));
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { firstDifference, stateImage } from '../../../tests/support/state-image.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { type Address, asAddress, asUsdNano, type UsdNano } from '../../model/units.ts';
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
  const book = new SmartFlowBook(new AddressIds());
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
    const book = new SmartFlowBook(new AddressIds());
    for (let index = 0; index < 1_000; index++) {
      book.add(POOL, trade({ timeMs: 5_000, side: index % 2 === 0 ? 'buy' : 'sell', dollars: 1 }));
    }
    expect(book.size).toBe(1);
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
    expect([book.size, book.poolCount]).toEqual([0, 0]);
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
  const book = new SmartFlowBook(new AddressIds(undo), undo);
  book.add(POOL, trade({}));
  book.add(POOL, trade({ timeMs: 100_000 }));
  const before = stateImage(book);
  undo.open();
  book.add(POOL, trade({ timeMs: 650_000 }));
  book.add(POOL, trade({ timeMs: 650_000, wallet: B }));
  book.add(address('new'), trade({ timeMs: 650_000 }));
  book.dropExpired(700_000);
  undo.close();
  expect(book.flows(POOL, 650_000).rawInfluxUsd).toBe(usd(200));
  undo.undo();
  expect(firstDifference(before, stateImage(book))).toBeNull();
  expect(book.flows(POOL, 100_000).rawInfluxUsd).toBe(usd(200));
});

test('outside of memory flows are as in memory, also after a restart', () => {
  const pools = ['one', 'two', 'three'].map((name) => address(name));
  const drawnTrade = fc.record({
    pool: fc.nat(2),
    wallet: fc.constantFrom(A, B),
    cluster: fc.constantFrom(null, CLUSTER),
    score: fc.constantFrom(50, 80),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    isEligible: fc.boolean(),
    valueUsd: fc.oneof(fc.bigInt(0n, 2n ** 40n), fc.bigInt(2n ** 280n, 2n ** 289n)),
  });
  type Drawn = typeof drawnTrade extends fc.Arbitrary<infer Trade> ? Trade : never;
  interface Slot {
    readonly afterMs: number;
    readonly trades: readonly Drawn[];
  }
  const slot = fc.record({
    afterMs: fc.constantFrom(0, 0, 1_000, 250_000, 700_000),
    trades: fc.array(drawnTrade, { maxLength: 5 }),
  });
  const plans = fc.array(fc.record({ slot, reverted: fc.nat(2) }), { maxLength: 12 });
  /** The time is the book's own: that of its last trade. */
  class TimedBook {
    readonly flows: SmartFlowBook;
    readonly clock: StateValue<{ timeMs: number }>;

    constructor(ids: AddressIds<Address>, undo: UndoLog) {
      this.flows = new SmartFlowBook(ids, undo);
      this.clock = new StateValue({ timeMs: 0 }, undo, 'clock');
    }
  }
  fc.assert(
    fc.property(plans, fc.nat(8), (drawn, storedAt) => {
      const logs = new Map<TimedBook, UndoLog>();
      expectAsInMemory<TimedBook, Slot>(
        {
          create(ids, undo) {
            const book = new TimedBook(ids, undo);
            logs.set(book, undo);
            return book;
          },
          apply(book, { afterMs, trades }) {
            const { now } = book.clock;
            logs.get(book)?.keep(now);
            now.timeMs += afterMs;
            if (afterMs > 0) book.flows.dropExpired(now.timeMs);
            for (const { pool, valueUsd, ...rest } of trades) {
              const timed = { ...rest, timeMs: now.timeMs, valueUsd: asUsdNano(valueUsd) };
              book.flows.add(asAddress(pools[pool] ?? ''), timed);
            }
            return null;
          },
          answers: ({ flows, clock }) => [
            flows.size,
            flows.poolCount,
            pools.map((pool) => flows.flows(pool, clock.now.timeMs)),
          ],
        },
        drawn,
        storedAt,
      );
    }),
  );
});

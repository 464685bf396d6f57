import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { MemoryPageStore } from '../../../tests/support/memory-page-store.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { PagePool } from '../../lib/pages/page-pool.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { POOL_LAYOUT } from './pool-row.ts';
import type { PoolTrade } from './pool-trade.ts';
import { PoolWalletBook } from './pool-wallet-book.ts';
import { POOL_WALLET_LAYOUT } from './pool-wallet-row.ts';
import type { PositionView } from './position-view.ts';

const POOL = { pool: address('pool'), baseDecimals: 6 };
const [A, B] = [address('A'), address('B')];
const DOLLAR = 1_000_000_000n;

function createBook(undo = new UndoLog()): PoolWalletBook {
  return new PoolWalletBook(new AddressIds(undo), undo);
}

function trade(parts: Partial<PoolTrade> = {}): PoolTrade {
  return {
    slot: asSlot(1),
    txIndex: 0,
    timeMs: 0,
    volumeUsd: asUsdNano(100n * DOLLAR),
    isHop: false,
    isVolumeAtomic: false,
    isBot: false,
    ...parts,
  };
}

function soldAtGain(): PositionView {
  return {
    hasKnownBuy: true,
    isOpen: false,
    heldRaw: asRawAmount(0n),
    costUsd: asUsdNano(0n),
    realisedUsd: asUsdNano(5n * DOLLAR),
    grossCostUsd: asUsdNano(DOLLAR),
    acquiredS: 0,
    closedHold: 40,
    closedRaw: 1,
  };
}

describe('the volume of settled trades', () => {
  const value = { valueUsd: asUsdNano(100n * DOLLAR), priceUsd: asPriceE18(1n) };
  const traded = (book: PoolWalletBook) => {
    const { tradedOrganicUsd = null, tradedProfitableUsd = null } = book.get(POOL.pool) ?? {};
    return [tradedOrganicUsd, tradedProfitableUsd];
  };

  test('counts by what the trader was then, whatever it becomes', () => {
    const book = createBook();
    book.applyTrade(POOL, A, trade());
    book.settleTrade(POOL.pool, A, value);
    book.setWalletClass(A, true);
    book.applyTrade(POOL, A, trade({ isBot: true }));
    book.settleTrade(POOL.pool, A, value);
    expect(traded(book)).toEqual([100n * DOLLAR, 0n]);
    expect(book.get(POOL.pool)?.organicVolumeUsd).toBe(0n);
    book.setWalletClass(A, false);
    expect(traded(book)).toEqual([100n * DOLLAR, 0n]);
    expect(book.get(POOL.pool)?.organicVolumeUsd).toBe(200n * DOLLAR);
  });

  test('counts as profitable at the price of the end of the slot', () => {
    const book = createBook();
    const held = { isOpen: true, heldRaw: asRawAmount(1_000_000n), realisedUsd: asUsdNano(0n) };
    book.applyTrade(POOL, A, trade());
    // One token for one dollar, which needs more than one cent of profit.
    book.positionChanged(POOL.pool, A, { ...soldAtGain(), ...held, costUsd: asUsdNano(DOLLAR) });
    const at = (cents: bigint) => ({ ...value, priceUsd: asPriceE18(cents * 10n ** 16n) });
    book.settleTrade(POOL.pool, A, at(101n));
    expect(traded(book)[1]).toBe(0n);
    book.settleTrade(POOL.pool, A, { ...value, priceUsd: null });
    expect(traded(book)[1]).toBe(0n);
    book.settleTrade(POOL.pool, A, at(102n));
    expect(traded(book)[1]).toBe(100n * DOLLAR);
    book.positionChanged(POOL.pool, A, soldAtGain());
    book.settleTrade(POOL.pool, A, { ...value, priceUsd: null });
    expect(traded(book)[1]).toBe(200n * DOLLAR);
  });

  test('does not count a trader without a trade in the pool', () => {
    const book = createBook();
    book.applyTrade(POOL, A, trade());
    book.settleTrade(POOL.pool, B, value);
    expect(traded(book)).toEqual([0n, 0n]);
  });
});

describe('the traders of a pool', () => {
  test('a wallet with only intermediate hops is not a trader, but the pool has traded', () => {
    const book = createBook();
    book.applyTrade(POOL, A, trade({ isHop: true }));
    expect(book.get(POOL.pool)).toBeUndefined();
    expect(book.find(POOL.pool, A)).toBeNull();
    expect(book.takeTradedPools()).toEqual([POOL.pool]);
  });

  test('a wallet that only received tokens is not a trader, with any position', () => {
    const book = createBook();
    book.applyTrade(POOL, A, trade());
    book.positionChanged(POOL.pool, B, soldAtGain());
    book.markSandwich(POOL.pool, B);
    book.setWalletClass(B, true);
    expect(book.get(POOL.pool)).toMatchObject({ wallets: 1, organicWallets: 1, holdWallets: 0 });
    expect(book.profits(POOL.pool, asPriceE18(1n))).toEqual({ organicWallets: 0, volumeUsd: 0n });
  });

  test('a wallet counts once in each of its pools', () => {
    const book = createBook();
    const other = { pool: address('other'), baseDecimals: 9 };
    for (const pool of [POOL, other, POOL]) book.applyTrade(pool, A, trade());
    expect(book.get(POOL.pool)?.wallets).toBe(1);
    expect(book.get(other.pool)?.wallets).toBe(1);
    expect([...book.poolsOf(A)]).toEqual([other.pool, POOL.pool]);
    expect([...book.poolsOf(B)]).toEqual([]);
  });

  test('an account of a program is counted as a trader once, and in no indicator', () => {
    const book = createBook();
    for (const isHop of [true, false, false]) book.applyProgramTrade(POOL, B, isHop);
    book.applyTrade(POOL, A, trade());
    expect([book.traderCountOf(POOL.pool), book.traderCount]).toEqual([2, 2]);
    expect(book.get(POOL.pool)).toMatchObject({ wallets: 1, organicWallets: 1 });
    expect(book.find(POOL.pool, B)).toBeNull();
  });

  test('an account that trades as a program and as a signer is one trader, in either order', () => {
    for (const isProgramFirst of [true, false]) {
      const book = createBook();
      if (isProgramFirst) book.applyProgramTrade(POOL, A, false);
      book.applyTrade(POOL, A, trade());
      book.applyProgramTrade(POOL, A, false);
      expect([book.traderCountOf(POOL.pool), book.traderCount]).toEqual([1, 1]);
      expect(book.get(POOL.pool)?.wallets).toBe(1);
    }
  });
});

describe('bot or organic wallets in a pool', () => {
  const organicAfter = (...trades: readonly Partial<PoolTrade>[]) => {
    const book = createBook();
    for (const parts of trades) book.applyTrade(POOL, A, trade(parts));
    return book.find(POOL.pool, A)?.isOrganic;
  };
  const worth = (nano: bigint | null) => ({ volumeUsd: nano === null ? null : asUsdNano(nano) });

  test.each([
    ['no evidence of a bot', [{}], true],
    [
      'dust: a nano-dollar less than a dollar in total',
      [worth(DOLLAR / 2n), worth(DOLLAR / 2n - 1n)],
      false,
    ],
    ['a dollar in two trades', [worth(DOLLAR / 2n), worth(DOLLAR / 2n)], true],
    ['possible dust, with volume at an unknown price', [worth(1n), worth(null)], true],
    ['a bot in all pools', [{ isBot: true }], false],
    ['a bot in all pools at first, and no longer', [{ isBot: true }, {}], true],
    ['one round trip of the same amount', [{ isVolumeAtomic: true }, {}], false],
  ])('%s', (_, trades, isOrganicThen) => {
    expect(organicAfter(...trades)).toBe(isOrganicThen);
  });

  test('a sandwich makes earlier volume of the wallet bot volume, in that pool only', () => {
    const book = createBook();
    const other = { pool: address('other'), baseDecimals: 6 };
    for (const pool of [POOL, other]) {
      book.applyTrade(pool, A, trade());
      book.positionChanged(pool.pool, A, soldAtGain());
    }
    book.markSandwich(POOL.pool, A);
    book.markSandwich(POOL.pool, A);
    expect(book.get(POOL.pool)).toMatchObject({
      organicWallets: 0,
      organicVolumeUsd: 0n,
      holdWallets: 0,
    });
    expect(book.get(other.pool)).toMatchObject({
      organicWallets: 1,
      organicVolumeUsd: 100n * DOLLAR,
    });
    expect(book.profits(POOL.pool, null)).toEqual({ organicWallets: 0, volumeUsd: 100n * DOLLAR });
  });

  test('a new bot counts as bot in its 64 most recent pools, in others from its next trade', () => {
    const book = createBook();
    const pools = Array.from({ length: 70 }, (_, index) => address(`pool ${index}`));
    for (const pool of pools) book.applyTrade({ pool, baseDecimals: 6 }, A, trade());
    const organic = () => pools.filter((pool) => book.find(pool, A)?.isOrganic === true);
    book.setWalletClass(A, true);
    expect(organic()).toEqual(pools.slice(0, 6));
    book.applyTrade({ pool: address('pool 2'), baseDecimals: 6 }, A, trade({ isBot: true }));
    expect(organic()).toEqual([0, 1, 3, 4, 5].map((index) => pools[index]));
    book.setWalletClass(A, false);
    expect(organic()).toHaveLength(70 - 1);
  });
});

describe('times of trades', () => {
  test('swaps of one transaction are one trade; trades of one second have gaps of zero', () => {
    const book = createBook();
    for (let txIndex = 0; txIndex < 500; txIndex++) {
      book.applyTrade(POOL, A, trade({ txIndex, timeMs: 7_000 }));
      book.applyTrade(POOL, A, trade({ txIndex, timeMs: 7_000 }));
    }
    expect(book.find(POOL.pool, A)).toMatchObject({
      timedTrades: 500,
      firstTradeMs: 7_000,
      lastTradeMs: 7_000,
      volumeUsd: 100_000n * DOLLAR,
    });
    expect(book.get(POOL.pool)).toMatchObject({ gapWallets: 1, gapNs: 0n });
  });

  test('a transaction of the next slot with the same block index is another trade', () => {
    const book = createBook();
    book.applyTrade(POOL, A, trade({ slot: asSlot(1), txIndex: 3, timeMs: 0 }));
    book.applyTrade(POOL, A, trade({ slot: asSlot(2), txIndex: 3, timeMs: 400 }));
    expect(book.get(POOL.pool)).toMatchObject({ gapWallets: 1, gapNs: 400_000_000n });
  });

  test('a trade of unknown time counts for volume, but not for times', () => {
    const book = createBook();
    book.applyTrade(POOL, A, trade({ timeMs: null }));
    expect(book.find(POOL.pool, A)).toMatchObject({
      timedTrades: 0,
      firstTradeMs: null,
      lastTradeMs: null,
      volumeUsd: 100n * DOLLAR,
    });
    book.applyTrade(POOL, A, trade({ slot: asSlot(2), timeMs: 9_000 }));
    expect(book.find(POOL.pool, A)).toMatchObject({ timedTrades: 1, firstTradeMs: 9_000 });
  });
});

describe('pools that traded', () => {
  test('are returned once, by address, until they trade again', () => {
    const book = createBook();
    const pools = ['p3', 'p1', 'p2', 'p1'].map((name) => address(name));
    for (const pool of pools) book.applyTrade({ pool, baseDecimals: 6 }, A, trade());
    expect(book.takeTradedPools()).toEqual([...new Set(pools)].sort());
    expect(book.takeTradedPools()).toEqual([]);
    book.applyTrade(POOL, A, trade());
    expect(book.takeTradedPools()).toEqual([POOL.pool]);
  });

  test('are returned again after the call is undone', () => {
    const undo = new UndoLog(1);
    const book = createBook(undo);
    book.applyTrade(POOL, A, trade());
    undo.open();
    book.applyTrade({ pool: address('other'), baseDecimals: 6 }, A, trade());
    book.takeTradedPools();
    undo.close();
    undo.undo();
    expect(book.takeTradedPools()).toEqual([POOL.pool]);
  });
});

test('volume of one wallet beyond 64 bits of nano-dollars is ignored without error', () => {
  const book = createBook();
  const most = asUsdNano(2n ** 63n - 1n);
  book.applyTrade(POOL, A, trade({ volumeUsd: most }));
  book.applyTrade(POOL, A, trade({ volumeUsd: asUsdNano(1n) }));
  expect(book.find(POOL.pool, A)?.volumeUsd).toBe(most);
  expect(book.get(POOL.pool)?.organicVolumeUsd).toBe(most);
});

test('a pair of pool and wallet takes 96 bytes, and a pool 128', () => {
  expect([POOL_WALLET_LAYOUT.rowBytes, POOL_LAYOUT.rowBytes]).toEqual([96, 128]);
});

describe('the traders of a pool on disk', () => {
  const pools = Array.from({ length: 50 }, (_, pool) => address(`pool ${pool}`));
  const traders = Array.from({ length: 100 }, (_, trader) => address(`trader ${trader}`));

  /** Pools trade in turns, so that the rows of each are added between those of all others. */
  function storedPages(): MemoryPageStore {
    const store = new MemoryPageStore();
    const undo = new UndoLog(1, new PagePool({ store }));
    const book = createBook(undo);
    for (const trader of traders) {
      for (const pool of pools) {
        book.applyTrade({ pool, baseDecimals: 6 }, trader, trade());
        book.positionChanged(pool, trader, soldAtGain());
      }
    }
    undo.pages.beginCheckpoint();
    while (!undo.pages.writeSome(1_000));
    return store;
  }

  test('are read with a quarter of a page for each, not a page', () => {
    const { atCheckpoint } = storedPages();
    let reads = 0;
    const read = (space: number, page: number) => {
      reads++;
      return atCheckpoint.get(`${space} ${page}`) ?? null;
    };
    const store = { read, put: () => undefined, putAsOf: () => undefined };
    const book = createBook(new UndoLog(1, new PagePool({ store })));
    expect(book.get(POOL.pool)).toBeUndefined();
    reads = 0;
    const sums = book.profits(pools[25] as (typeof pools)[number], asPriceE18(1n));
    expect(sums).toEqual({ organicWallets: 100, volumeUsd: 100n * 100n * DOLLAR });
    expect(reads).toBeLessThan(28);
  });
});

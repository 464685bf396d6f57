import { describe, expect, test } from 'vitest';
import {
  a,
  aChange,
  aLock,
  aPayment,
  aTrade,
  aTransfer,
  b,
  c,
  mint,
  numbers,
} from '../../../tests/support/build-case-entries.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { CaseBook } from './case-book.ts';
import { CASE_BOUNDS, type CaseBounds } from './case-bounds.ts';

describe('the rows of all mints together', () => {
  test('are bounded, and the least recently traded mint is evicted', () => {
    const book = new CaseBook(new AddressIds(), new UndoLog(), { tradeRowsMax: 2_100 });
    for (const index of numbers(0, 2_000)) book.applyTrade(named(`old ${index}`), aTrade(index));
    for (const index of numbers(2_000, 2_100)) book.applyTrade(mint, aTrade(index));
    expect(book.counts.mintsCut).toBe(0);
    book.applyTrade(mint, aTrade(2_100));
    expect(book.counts.mintsCut).toBe(1);
    expect(book.trades(named('old 0'))).toEqual([]);
    expect(book.trades(named('old 1'))).toHaveLength(1);
    expect(book.trades(mint)).toHaveLength(101);
  });

  test('take at most 725 MiB when full, by the row size of each kind', () => {
    const bounds = {
      ...{ tradeRowsMax: 6_000, cosignerRowsMax: 30_000, transferRowsMax: 3_000 },
      ...{ liquidityRowsMax: 1_000, lockRowsMax: 1_000, paymentRowsMax: 20_000 },
      ...{ mintsMax: 500, walletsMax: 4_000 },
    };
    const book = new CaseBook(new AddressIds(), new UndoLog(), bounds);
    for (const index of numbers(0, 40_000)) {
      const name = named(`mint ${index % 700}`);
      book.applyTrade(name, aTrade(index, { cosigners: [b, c, a, b, c] }));
      book.applyTransfer(name, aTransfer(index));
      book.applyLiquidity(name, aChange(index));
      book.applyLock(name, aLock(index));
      const [from, to] = [`from ${index % 3_000}`, `to ${(7 * index) % 5_000}`].map(named);
      book.applyPayment(aPayment(index, from, to));
    }
    // By the fields of a row: 152 bytes a trade, 8 a cosigner, at most 112 a transfer, a change of
    // a pool or a lock, 120 a payment; 16 a log, of which a mint has four and a wallet two; 40 a
    // mint and a wallet; 12 for an index cell, at least three eighths of which are in use; a
    // partial page of each of 14 tables.
    const bytesOf = (of: CaseBounds) => {
      const entries =
        of.tradeRowsMax * 152 +
        of.cosignerRowsMax * 8 +
        (of.transferRowsMax + of.liquidityRowsMax + of.lockRowsMax) * 112 +
        of.paymentRowsMax * 120;
      const mints = (of.mintsMax + of.untradedMax) * (40 + 4 * 16 + 32);
      return entries + mints + of.walletsMax * (40 + 2 * 16 + 32) + 14 * 128 * 1_024;
    };
    expect(book.allocatedBytes).toBeLessThanOrEqual(bytesOf({ ...CASE_BOUNDS, ...bounds }));
    expect(bytesOf(CASE_BOUNDS) / 2 ** 20).toBeLessThan(725);
  });
});

test('the digest of a book differs when one amount differs', () => {
  const digests = [1n, 2n].map((amount) => {
    const book = new CaseBook(new AddressIds());
    book.applyTransfer(mint, aTransfer(1, amount));
    return [...book.digestRows()];
  });
  expect(digests[0]).not.toEqual(digests[1]);
});

import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { PositionBook } from '../../fold/positions/position-book.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { type Address, asLamports, asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import type { PositionPageQuery } from '../../model/wallet-lists.ts';
import { createBooks } from '../books/books.ts';
import { POSITIONS_READ_MAX, positionPageOf } from './position-pages.ts';

const wallet = address('wallet');

/** A book in which the wallet bought `count` mints, one after the other, and sold every second. */
function bookOf(count: number) {
  const undo = new UndoLog();
  const ids = new AddressIds<Address>(undo);
  const positions = new PositionBook(ids, undo);
  for (let at = 0; at < count; at++) {
    const trade = {
      ...{ mint: address(`m${at}`), wallet, amountRaw: asRawAmount(10n), timeMs: 1_000 + at },
      ...{ valueUsd: asUsdNano(5n), netCostLamports: asLamports(0n), slot: asSlot(at) },
    };
    positions.buy({ ...trade, isLaunchSlot: false, isCreator: false, entryCell: () => 0 });
    if (at % 2 === 1) positions.sell(trade);
    positions.takeChanged();
    positions.takeClosed();
  }
  const books = createBooks(null, ids, undo);
  const page = (given: Partial<PositionPageQuery>) =>
    positionPageOf(
      books,
      { positions },
      { wallet, isOpen: false, before: null, limit: 3, ...given },
    );
  return { page };
}

describe('pages of positions', () => {
  test.each([false, true])('list each once, newest first (only open ones: %s)', (isOpen) => {
    const { page } = bookOf(11);
    const numbers = Array.from({ length: 11 }, (_, at) => 10 - at);
    const expected = numbers.filter((at) => !isOpen || at % 2 === 0).map((at) => address(`m${at}`));
    for (const limit of [1, 2, 3, 11, 20]) {
      const listed: Address[] = [];
      let before: number | null = null;
      do {
        const { positions, next } = page({ isOpen, before, limit });
        expect(positions.length).toBeLessThanOrEqual(limit);
        listed.push(...positions.map(({ mint }) => mint));
        before = next;
      } while (before !== null);
      expect(listed).toEqual(expected);
    }
  });

  test('read a bounded number of positions', () => {
    const { page } = bookOf(POSITIONS_READ_MAX + 5);
    const first = page({ isOpen: true, limit: POSITIONS_READ_MAX });
    expect(first.positions).toHaveLength(POSITIONS_READ_MAX / 2);
    expect(first.next).toBe(5);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { NaiveFollows } from '../../../tests/support/naive-follows.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { FollowBook } from './follow-book.ts';

const leader = named('leader');
const follower = named('follower');

function newBook(undo = new UndoLog()): FollowBook {
  return new FollowBook(new AddressIds(undo), undo);
}

function mintOf(index: number): Address {
  return named(`mint ${index}`);
}

/**
 * In each mint the leader buys, then the follower `lags` slots later. Returns which were copied.
 */
function followed(lags: readonly number[], book = newBook()): boolean[] {
  lags.forEach((lag, index) => {
    const slot = 1_000 + index * 100;
    book.applyFirstBuy(mintOf(index), leader, asSlot(slot));
    book.applyFirstBuy(mintOf(index), follower, asSlot(slot + lag));
  });
  return lags.map((_, index) => book.isCopied(mintOf(index), follower));
}

describe('a purchase is copied', () => {
  test('from the fourth mint in which the same wallet bought shortly before', () => {
    expect(followed([2, 2, 2, 2, 2])).toEqual([false, false, false, true, true]);
  });

  test.each([
    [0, false],
    [1, true],
    [5, true],
    [6, false],
  ])('when it is %d slots behind: %o', (lag, isCopied) => {
    expect(followed([3, 3, 3, lag])[3]).toBe(isCopied);
  });

  test.each([0, 6])('not because of mints bought %d slots later', (lag) => {
    expect(followed([3, 3, lag, 3])[3]).toBe(false);
  });

  test('never for the followed wallet', () => {
    const book = newBook();
    followed([1, 2, 3, 4, 5], book);
    expect([0, 1, 2, 3, 4].filter((index) => book.isCopied(mintOf(index), leader))).toEqual([]);
  });

  test('never by following itself', () => {
    const book = newBook();
    for (let index = 0; index < 8; index++) {
      for (const slot of [index * 10, index * 10 + 1]) {
        book.applyFirstBuy(mintOf(index), follower, asSlot(slot));
      }
      expect(book.isCopied(mintOf(index), follower)).toBe(false);
    }
  });

  test('not after a different wallet each time', () => {
    const book = newBook();
    for (let index = 0; index < 100; index++) {
      book.applyFirstBuy(mintOf(index), named(`${index}`), asSlot(index * 10));
      book.applyFirstBuy(mintOf(index), follower, asSlot(index * 10 + 1));
      expect(book.isCopied(mintOf(index), follower)).toBe(false);
    }
  });

  test('after either of two wallets that it follows alternately', () => {
    const book = newBook();
    const copied: boolean[] = [];
    for (let index = 0; index < 10; index++) {
      book.applyFirstBuy(mintOf(index), named(`leader ${index % 2}`), asSlot(index * 10));
      book.applyFirstBuy(mintOf(index), follower, asSlot(index * 10 + 3));
      copied.push(book.isCopied(mintOf(index), follower));
    }
    // The first three mints of each leader are not copied.
    expect(copied).toEqual([...Array(6).fill(false), ...Array(4).fill(true)]);
  });

  // Fifteen fill the other counters; the sixteenth decrements the leader's count of three.
  test.each([
    [15, true],
    [16, false],
  ])('after %d other wallets, each before it in one mint: %o', (others, isCopied) => {
    const book = newBook();
    followed([1, 1, 1], book);
    for (let at = 0; at < others; at++) {
      book.applyFirstBuy(mintOf(10 + at), named(`${at}`), asSlot(2_000 + at * 10));
      book.applyFirstBuy(mintOf(10 + at), follower, asSlot(2_001 + at * 10));
    }
    book.applyFirstBuy(mintOf(3), leader, asSlot(3_000));
    book.applyFirstBuy(mintOf(3), follower, asSlot(3_001));
    expect(book.isCopied(mintOf(3), follower)).toBe(isCopied);
  });

  test.each([
    [15, true],
    [16, false],
  ])('when %d other wallets bought closer: %o', (others, isCopied) => {
    const book = newBook();
    followed([5, 5, 5], book);
    const mint = mintOf(3);
    book.applyFirstBuy(mint, leader, asSlot(5_000));
    for (let at = 0; at < others; at++) {
      book.applyFirstBuy(mint, named(`${at}`), asSlot(5_001));
    }
    book.applyFirstBuy(mint, follower, asSlot(5_002));
    expect(book.isCopied(mint, follower)).toBe(isCopied);
  });
});

interface Purchase {
  readonly mint: Address;
  readonly wallet: Address;
  readonly slot: Slot;
}

/**
 * First purchases of two mints at a time, by wallets in any order and close to one another;
 * each wallet buys a mint for the first time once.
 */
function purchases(wallets: number): fc.Arbitrary<Purchase[]> {
  const one = fc.record({
    // Some wallets buy nearly every mint.
    wallet: fc.oneof(fc.nat(3), fc.nat(wallets - 1)),
    slots: fc.constantFrom(0, 0, 1, 2, 6),
    isSecond: fc.boolean(),
  });
  const pairs = fc.array(fc.array(one, { minLength: 10, maxLength: 40, size: 'max' }), {
    minLength: 5,
    maxLength: 20,
    size: 'max',
  });
  return pairs.map((list) => {
    const seen = new Set<string>();
    let slot = 10;
    return list.flatMap((buyers, pair) =>
      buyers.flatMap(({ wallet, slots, isSecond }) => {
        slot += slots;
        const mint = mintOf(2 * pair + Number(isSecond));
        const key = `${mint} ${wallet}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ mint, wallet: named(`w${wallet}`), slot: asSlot(slot) }];
      }),
    );
  });
}

describe('for any first purchases', () => {
  // Thirty wallets exceed the number of counters.
  test.each([4, 30])('of %d wallets, the copied ones match a full recount', (wallets) => {
    let copied = 0;
    fc.assert(
      fc.property(purchases(wallets), (list) => {
        const book = newBook();
        const naive = new NaiveFollows();
        for (const { mint, wallet, slot } of list) {
          book.applyFirstBuy(mint, wallet, slot);
          naive.firstBuy({ mint, wallet, slot });
        }
        const differing = list.filter(
          ({ mint, wallet }) => book.isCopied(mint, wallet) !== naive.isCopied(mint, wallet),
        );
        expect(differing).toEqual([]);
        copied += naive.copiedCount;
      }),
      { numRuns: 100, seed: 5 },
    );
    expect(copied).toBeGreaterThan(50);
  });

  test('undo leaves no trace', () => {
    fc.assert(
      fc.property(purchases(8), fc.double({ min: 0, max: 1, noNaN: true }), (list, at) => {
        const kept = Math.floor(list.length * at);
        const undo = new UndoLog(1);
        const book = newBook(undo);
        const apply = ({ mint, wallet, slot }: Purchase) => book.applyFirstBuy(mint, wallet, slot);
        list.slice(0, kept).forEach(apply);
        const before = sumsOf(undo.pages);
        undo.open();
        list.slice(kept).forEach(apply);
        undo.close();
        undo.undo();
        expect(sumsOf(undo.pages)).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  test('answers are the same from the store, and after a restart from a checkpoint', () => {
    fc.assert(
      fc.property(purchases(8), fc.nat({ max: 60 }), fc.nat(), (list, restoredAt, undone) => {
        const kind = {
          create: (_: unknown, undo: UndoLog) => newBook(undo),
          apply: (book: FollowBook, { mint, wallet, slot }: Purchase) =>
            book.applyFirstBuy(mint, wallet, slot),
          answers: (book: FollowBook) =>
            list.map(({ mint, wallet }) => book.isCopied(mint, wallet)),
        };
        const slots = list.map((purchase, index) => ({
          slot: purchase,
          reverted: Number(((undone >> (index % 31)) & 3) === 3),
        }));
        expectAsInMemory(kind, slots, restoredAt);
      }),
      { numRuns: 20 },
    );
  });
});

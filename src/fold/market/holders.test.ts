import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import type { TokenBalanceChange } from '../../model/slot-facts.ts';
import { type Address, asAddress, asRawAmount, asSlot } from '../../model/units.ts';
import { HolderBook } from './holders.ts';
import type { Moment } from './logical-time.ts';

const mint = address('token-t');
const INCINERATOR = asAddress('1nc1nerator11111111111111111111111111111111');
const RAYDIUM_V4_AUTHORITY = asAddress('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1');

function at(slot: number): Moment {
  return { slot: asSlot(slot), timeMs: slot * 400, isTimeKnown: true };
}

function balance(
  account: string,
  owner: Address | null,
  before: bigint,
  after: bigint,
  ofMint = mint,
): TokenBalanceChange {
  return {
    account: address(account),
    owner,
    mint: ofMint,
    decimals: 6,
    before: asRawAmount(before),
    after: asRawAmount(after),
  };
}

function newBook(undo = new UndoLog()): HolderBook {
  return new HolderBook(new AddressIds(undo), undo);
}

/** A book with the given changes, each in its own slot. */
function bookOf(...changes: TokenBalanceChange[]): HolderBook {
  const book = newBook();
  changes.forEach((change, index) => {
    book.apply(change, at(index + 1));
    book.takeChanges();
  });
  return book;
}

function topOf(book: HolderBook, supplyRaw: bigint | null = null) {
  return book.top(mint, 100, supplyRaw).map(({ owner, balanceRaw }) => [owner, balanceRaw]);
}

const [ann, bob] = [address('ann'), address('bob')];

describe('the holders of a mint', () => {
  test('are not stored for a mint whose accounts were always empty', () => {
    const book = bookOf(balance('ann 1', ann, 0n, 0n), balance('bob 1', bob, 0n, 0n));
    expect([topOf(book), book.mintCount, book.accountCount]).toEqual([[], 0, 0]);
  });

  test('are owners: two accounts of one owner are added', () => {
    const book = bookOf(
      balance('ann 1', ann, 0n, 40n),
      balance('bob 1', bob, 0n, 50n),
      balance('ann 2', ann, 0n, 25n),
    );
    expect(topOf(book)).toEqual([
      [ann, 65n],
      [bob, 50n],
    ]);
    expect(book.count(mint, null)).toBe(2);
  });

  test('include the balance of an account before it was first seen', () => {
    const book = bookOf(balance('ann 1', ann, 1_000n, 900n));
    expect(topOf(book)).toEqual([[ann, 900n]]);
    expect(book.contradictionCount).toBe(0);
  });

  test('are removed when their last account is closed, and return as new', () => {
    const book = bookOf(balance('ann 1', ann, 0n, 40n));
    book.apply(balance('ann 1', ann, 40n, 0n), at(5));
    expect(book.takeChanges()).toEqual([
      { mint, owner: ann, balanceRaw: 0n, isPool: false, firstSeenMs: 400, slot: 5 },
    ]);
    expect([topOf(book), book.count(mint, null), book.accountCount, book.mintCount]).toEqual([
      [],
      0,
      0,
      0,
    ]);
    book.apply(balance('ann 1', ann, 0n, 7n), at(9));
    expect(book.takeChanges()).toEqual([
      { mint, owner: ann, balanceRaw: 7n, isPool: false, firstSeenMs: 3_600, slot: 9 },
    ]);
  });

  test('hold what arrived, not what was sent, with a Token-2022 transfer fee', () => {
    // 1,001 sent at 50 bps: ceil(5.005) = 6 are withheld, 995 arrive.
    const book = bookOf(balance('ann 1', ann, 1_001n, 0n), balance('bob 1', bob, 0n, 995n));
    expect(topOf(book)).toEqual([[bob, 995n]]);
  });

  test('change when their account changes its owner', () => {
    const book = bookOf(balance('box', ann, 0n, 40n), balance('box', bob, 40n, 45n));
    expect(topOf(book)).toEqual([[bob, 45n]]);
    expect(book.contradictionCount).toBe(0);
  });

  test('lose an account that was reopened for another mint', () => {
    const other = address('other');
    const book = bookOf(balance('box', ann, 0n, 40n), balance('box', ann, 0n, 3n, other));
    expect(topOf(book)).toEqual([]);
    expect(book.top(other, 9, null).map(({ balanceRaw }) => balanceRaw)).toEqual([3n]);
    expect(book.contradictionCount).toBe(1);
  });

  test('follow the newer record when history is missing, and count a contradiction', () => {
    const book = bookOf(balance('ann 1', ann, 0n, 40n), balance('ann 1', ann, 70n, 60n));
    expect(topOf(book)).toEqual([[ann, 60n]]);
    expect(book.contradictionCount).toBe(1);
  });

  test('stay known when a later record has no owner', () => {
    const book = bookOf(balance('ann 1', ann, 0n, 40n), balance('ann 1', null, 40n, 30n));
    expect(topOf(book)).toEqual([[ann, 30n]]);
    book.apply(balance('nobody', null, 0n, 5n), at(9));
    expect([topOf(book), book.ownerlessCount]).toEqual([[[ann, 30n]], 1]);
  });

  test('need a billionth of the supply, or one unit if that is less or unknown', () => {
    const book = bookOf(balance('ann 1', ann, 0n, 1_000_000n), balance('bob 1', bob, 0n, 999_999n));
    const supplyRaw = 1_000_000_000_000_000n;
    expect([book.count(mint, supplyRaw), topOf(book, supplyRaw)]).toEqual([1, [[ann, 1_000_000n]]]);
    // With one more unit of supply, a millionth of a token no longer reaches the threshold.
    expect(book.count(mint, supplyRaw + 1n)).toBe(0);
    expect([book.count(mint, 1_000n), book.count(mint, null)]).toEqual([2, 2]);
  });

  test('are listed but not counted when they are pools or burn addresses', () => {
    const pool = address('pool');
    const book = bookOf(
      balance('vault', RAYDIUM_V4_AUTHORITY, 0n, 300n),
      balance('curve', pool, 0n, 200n),
      balance('burnt', INCINERATOR, 0n, 100n),
      balance('ann 1', ann, 0n, 40n),
    );
    expect(book.count(mint, null)).toBe(2);
    book.addPoolOwner(pool, [mint], at(9));
    expect(book.count(mint, null)).toBe(1);
    expect(book.takeChanges()).toEqual([
      { mint, owner: pool, balanceRaw: 200n, isPool: true, firstSeenMs: 800, slot: 9 },
    ]);
    expect(book.top(mint, 9, null).map(({ isPool }) => isPool)).toEqual([true, true, false, false]);
    expect(book.burned(mint)).toBe(100n);
  });

  test('are not reduced by a pool with less than the minimum holding', () => {
    const supplyRaw = 1_000_000_000_000_000n;
    const book = bookOf(
      balance('ann 1', ann, 0n, 1_000_000n),
      balance('vault', RAYDIUM_V4_AUTHORITY, 0n, 999_999n),
    );
    expect(book.count(mint, supplyRaw)).toBe(1);
  });

  test('exclude a new pool owner in other mints at its next balance change there', () => {
    const [pool, other] = [address('pool'), address('other')];
    const book = bookOf(balance('box', pool, 0n, 40n, other));
    book.addPoolOwner(pool, [mint], at(5));
    expect(book.count(other, null)).toBe(1);
    book.apply(balance('box', pool, 40n, 41n, other), at(6));
    expect(book.count(other, null)).toBe(0);
  });

  test('are not stored for SOL and stablecoins', () => {
    const book = bookOf(balance('w', ann, 0n, 5n, WRAPPED_SOL), balance('u', ann, 0n, 5n, USDC));
    expect([book.mintCount, book.accountCount]).toEqual([0, 0]);
  });

  test('are one row per owner and slot, with the balance at its end', () => {
    const book = newBook();
    book.apply(balance('ann 1', ann, 0n, 40n), at(3));
    book.apply(balance('bob 1', bob, 0n, 1n), at(3));
    book.apply(balance('ann 1', ann, 40n, 41n), at(3));
    expect(book.takeChanges().map(({ owner, balanceRaw }) => [owner, balanceRaw])).toEqual([
      [ann, 41n],
      [bob, 1n],
    ]);
    expect(book.takeChanges()).toEqual([]);
  });

  test('have exact balances when their accounts contain more than the largest supply', () => {
    const most = 2n ** 64n - 1n;
    const book = bookOf(
      balance('ann 1', ann, 0n, most),
      balance('ann 2', ann, 0n, most),
      balance('bob 1', bob, 0n, most),
      balance('ann 3', ann, 0n, 7n),
    );
    expect(topOf(book)).toEqual([
      [ann, 2n * most + 7n],
      [bob, most],
    ]);
    book.apply(balance('ann 1', ann, most, 1n), at(9));
    book.apply(balance('ann 2', ann, most, 0n), at(9));
    expect(topOf(book)).toEqual([
      [bob, most],
      [ann, 8n],
    ]);
    expect(book.contradictionCount).toBe(0);
  });

  test('ignore and count changes to amounts that no account can hold', () => {
    const book = bookOf(
      balance('ann 1', ann, 0n, 2n ** 64n),
      balance('bob 1', bob, 0n, -1n),
      balance('ann 2', ann, 0n, 5n),
      balance('ann 2', ann, 5n, 2n ** 64n),
      balance('ann 2', ann, 5n, 6n),
    );
    expect(topOf(book)).toEqual([[ann, 6n]]);
    expect([book.contradictionCount, book.accountCount]).toEqual([3, 1]);
  });

  test('ignore and count an account beyond 255 times the largest supply', () => {
    const book = newBook();
    const most = 2n ** 64n - 1n;
    for (let index = 0; index < 300; index++) {
      book.apply(balance(`ann ${index}`, ann, 0n, most), at(index));
      book.takeChanges();
    }
    // The sum of 256 accounts is the first that is at least 255 * 2^64.
    expect(topOf(book)).toEqual([[ann, 256n * most]]);
    expect([book.accountCount, book.contradictionCount]).toEqual([256, 44]);
    book.apply(balance('ann 0', ann, most, most - 1n), at(300));
    expect(topOf(book)).toEqual([[ann, 256n * most - 1n]]);
    for (let index = 0; index < 256; index++) {
      book.apply(balance(`ann ${index}`, ann, most - (index === 0 ? 1n : 0n), 0n), at(301));
    }
    expect([topOf(book), book.accountCount, book.contradictionCount]).toEqual([[], 0, 44]);
  });

  test('equal sums over all accounts after any changes', () => {
    const draft = fc.record({
      account: fc.integer({ min: 0, max: 12 }),
      owner: fc.integer({ min: 0, max: 5 }),
      after: fc.bigInt(0n, 30n),
      isNewOwner: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 80 }), fc.bigInt(0n, 20n), (drafts, thousandth) => {
        const accounts = new Map<number, { owner: Address; balanceRaw: bigint }>();
        const book = newBook();
        drafts.forEach(({ account, owner, after, isNewOwner }, index) => {
          const known = accounts.get(account);
          const next = isNewOwner || known === undefined ? address(`o${owner}`) : known.owner;
          const before = known?.balanceRaw ?? 0n;
          book.apply(balance(`a${account}`, next, before, after), at(index));
          accounts.set(account, { owner: next, balanceRaw: after });
          if (index % 3 === 0) book.takeChanges();
        });
        const sums = new Map<Address, bigint>();
        for (const { owner, balanceRaw } of accounts.values()) {
          sums.set(owner, (sums.get(owner) ?? 0n) + balanceRaw);
        }
        const supplyRaw = thousandth * 1_000_000_000n;
        const least = thousandth > 1n ? thousandth : 1n;
        const expected = [...sums]
          .filter(([, sum]) => sum >= least)
          .sort(([one, oneSum], [other, otherSum]) =>
            oneSum === otherSum ? (one < other ? -1 : 1) : oneSum > otherSum ? -1 : 1,
          );
        expect(topOf(book, supplyRaw)).toEqual(expected);
        expect(book.count(mint, supplyRaw)).toBe(expected.length);
        expect(book.contradictionCount).toBe(0);
        const openAccounts = [...accounts].filter(([, { balanceRaw }]) => balanceRaw > 0n);
        expect(book.accountCount).toBe(openAccounts.length);
        for (const [account, { owner }] of openAccounts) {
          expect(book.ownerOf(address(`a${account}`))).toBe(owner);
        }
      }),
    );
  });
});

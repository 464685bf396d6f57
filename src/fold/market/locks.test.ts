import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { poolCreated, supplyChange } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { pageSums } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { LockTerms, LpLock, TokenLock, TokenTransfer } from '../../model/chain-event.ts';
import type { Venue } from '../../model/program.ts';
import { asAddress, asRawAmount } from '../../model/units.ts';
import { LockBook } from './locks.ts';

const LP = address('lp mint');
const POOL = address('pool');
const CREATED = poolCreated(1n, 1n, { pool: POOL, lpMint: LP, lpRaw: asRawAmount(100n) });
const NOW_MS = 1_735_689_600_000;
const DAY_MS = 86_400_000;

describe('a burn of LP tokens', () => {
  test('locks the liquidity behind them, outside any venue or below another one', () => {
    const book = withPool();
    book.applyBurn(burn(60n, null));
    book.applyBurn(burn(32n, 'pump'));
    expect(book.burned(LP)).toBe(92n);
  });

  test('is a withdrawal below an instruction of the pool’s own venue', () => {
    const book = withPool();
    book.applyBurn(burn(60n, 'raydium_cpmm'));
    expect(book.burned(LP)).toBe(0n);
  });

  test('locks nothing if the surrounding instruction is unknown', () => {
    const book = withPool();
    book.applyBurn(supplyChange('burn', LP, 60n));
    expect(book.burned(LP)).toBe(0n);
  });

  test('is an ordinary burn if no pool has that mint', () => {
    const book = new LockBook(new AddressIds());
    book.applyPoolCreated(poolCreated(1n, 1n));
    book.applyBurn(burn(60n, null));
    expect([book.burned(LP), book.lpMintOf(address('pool-t'))]).toEqual([0n, null]);
  });
});

describe('a lock of LP tokens', () => {
  test('counts while nothing of it is released for thirty days', () => {
    const book = withPool();
    book.applyTokenLock(lock('a', 3n, until(60)));
    book.applyTokenLock(lock('b', 4n, until(30)));
    book.applyTokenLock(lock('c', 5n, until(7)));
    expect(book.lockedAt(LP, NOW_MS)).toBe(7n);
    expect(book.lockedAt(LP, NOW_MS + 1)).toBe(3n);
    expect(book.lockedAt(LP, NOW_MS + 31 * DAY_MS)).toBe(0n);
    expect(book.lockedInLockers(LP)).toBe(12n);
  });

  test('counts at any time when it is permanent', () => {
    const book = withPool();
    const permanent = { ...until(0), isPermanent: true, firstUnlockTimeMs: null };
    book.applyTokenLock(lock('a', 3n, permanent));
    expect(book.lockedAt(LP, NOW_MS + 10_000 * DAY_MS)).toBe(3n);
  });

  test.each([
    ['it is revocable', { ...until(60), isRevocable: true }],
    ['its end is unknown', { ...until(60), firstUnlockTimeMs: null }],
    ['its terms are unknown', null],
  ])('does not count when %s', (_, terms) => {
    const book = withPool();
    book.applyTokenLock(lock('a', 3n, terms));
    expect([book.lockedAt(LP, NOW_MS), book.lockedInLockers(LP)]).toEqual([0n, 3n]);
  });

  test('keeps its terms when its amount changes, and ends when it is empty', () => {
    const book = withPool();
    book.applyTokenLock(lock('a', 3n, until(60)));
    book.applyTokenLock(lock('a', 7n, null));
    book.applyTokenLock(lock('a', -4n, null));
    expect([book.lockedAt(LP, NOW_MS), book.lockCount]).toEqual([6n, 1]);
    book.applyTokenLock(lock('a', -6n, null));
    expect([book.lockedAt(LP, NOW_MS), book.lockCount]).toEqual([0n, 0]);
    expect([book.lockOf(address('a')), [...book.escrowsOf(LP)]]).toEqual([undefined, []]);
  });

  test('from before the stored history is ignored when it is released', () => {
    const book = withPool();
    book.applyTokenLock(lock('a', -4n, null));
    book.applyTokenLock(lock('b', 3n, until(60)));
    book.applyTokenLock(lock('b', -4n, null));
    expect([book.lockedInLockers(LP), book.lockCount]).toEqual([0n, 0]);
  });

  test('at the pool itself counts when it is permanent, for pools with LP tokens', () => {
    const book = withPool();
    book.applyLpLock(lpLock({ amountRaw: asRawAmount(5n) }));
    book.applyLpLock(lpLock({ lockKind: 'locker' }));
    book.applyLpLock(lpLock({ pool: address('a pool of positions') }));
    expect(book.lockedAt(LP, NOW_MS)).toBe(5n);
  });
});

test('the sums of the pages cover every amount and term', () => {
  const undo = new UndoLog();
  const book = new LockBook(new AddressIds(undo), undo);
  const sums = new Set<string>();
  const add = () => sums.add(pageSums(undo));
  add();
  book.applyPoolCreated(CREATED);
  add();
  book.applyTokenLock(lock('a', 3n, until(60)));
  add();
  book.applyTokenLock(lock('a', 1n, null));
  add();
  book.applyTokenLock(lock('a', 1n, until(61)));
  add();
  book.applyBurn(burn(1n, null));
  add();
  book.applyLpLock(lpLock({}));
  add();
  expect(sums.size).toBe(7);
});

test('amounts that no token account can have are ignored, the largest possible ones are not', () => {
  const book = withPool();
  const most = 2n ** 64n - 1n;
  for (const delta of [most + 1n, -most - 1n, most, most]) {
    book.applyTokenLock(lock(`escrow of ${delta}`, delta, null));
    book.applyBurn(burn(delta, null));
    book.applyLpLock(lpLock({ amountRaw: asRawAmount(delta) }));
  }
  expect(book.lockedInLockers(LP)).toBe(2n * most);
  expect(book.burned(LP)).toBe(2n * most);
  expect(book.lockedAt(LP, NOW_MS)).toBe(2n * most);
});

test('amounts of mints are the sums over their escrows, and undo restores them', () => {
  const mints = [LP, address('other mint')];
  const change = fc.record({ at: fc.nat(5), delta: fc.bigInt(-9n, 9n) });
  fc.assert(
    fc.property(fc.array(change), fc.array(change), (kept, undone) => {
      const undo = new UndoLog(1);
      const book = new LockBook(new AddressIds(undo), undo);
      const amounts = new Map<number, bigint>();
      const apply = ({ at, delta }: (typeof kept)[number]) => {
        const mint = asAddress(mints[at % 2] ?? '');
        book.applyTokenLock({ ...lock(`escrow ${at}`, delta, null), mint });
        const amount = (amounts.get(at) ?? 0n) + delta;
        if (amount > 0n) amounts.set(at, amount);
        else amounts.delete(at);
      };
      const expectSums = () => {
        for (const [parity, mint] of mints.entries()) {
          const own = [...amounts].filter(([at]) => at % 2 === parity);
          const sum = own.reduce((total, [, amount]) => total + amount, 0n);
          expect(book.lockedInLockers(mint)).toBe(sum);
          const escrows = own.map(([at]) => address(`escrow ${at}`));
          expect([...book.escrowsOf(mint)].sort()).toEqual(escrows.sort());
        }
        expect(book.lockCount).toBe(amounts.size);
      };
      kept.forEach(apply);
      expectSums();
      const before = pageSums(undo);
      undo.open();
      undone.forEach(apply);
      expectSums();
      undo.close();
      undo.undo();
      expect(pageSums(undo)).toEqual(before);
    }),
  );
});

test('locks are the same outside of memory, and after a restart', () => {
  const escrows = ['a', 'b', 'c'];
  const draft = fc.record({
    kind: fc.constantFrom('created', 'burn', 'lock', 'lpLock'),
    escrow: fc.constantFrom(...escrows),
    amount: fc.bigInt(-9n, 9n),
    days: fc.constantFrom(null, 1, 60),
  });
  type Draft = typeof draft extends fc.Arbitrary<infer Drawn> ? Drawn : never;
  const apply = (book: LockBook, { kind, escrow, amount, days }: Draft) => {
    if (kind === 'created') book.applyPoolCreated(CREATED);
    else if (kind === 'burn') book.applyBurn(burn(amount, days === null ? null : 'raydium_cpmm'));
    else if (kind === 'lpLock') book.applyLpLock(lpLock({ amountRaw: asRawAmount(amount) }));
    else book.applyTokenLock(lock(escrow, amount, days === null ? null : until(days)));
  };
  const slot = fc.array(draft, { maxLength: 5 });
  const plans = fc.array(fc.record({ slot, reverted: fc.nat(2) }), { maxLength: 8 });
  fc.assert(
    fc.property(plans, fc.nat(6), (drawn, storedAt) => {
      expectAsInMemory<LockBook, readonly Draft[]>(
        {
          create: (ids, undo) => new LockBook(ids, undo),
          apply: (book, steps) => {
            for (const each of steps) apply(book, each);
            return null;
          },
          answers: (book) => [
            [book.lpMintOf(POOL), book.poolOf(LP), book.burned(LP), book.lockCount],
            [book.lockedAt(LP, NOW_MS), book.lockedInLockers(LP), [...book.escrowsOf(LP)].sort()],
            escrows.map((escrow) => book.lockOf(address(escrow))),
          ],
        },
        drawn,
        storedAt,
      );
    }),
    { numRuns: 50 },
  );
});

function withPool(): LockBook {
  const book = new LockBook(new AddressIds());
  book.applyPoolCreated(CREATED);
  return book;
}

function burn(amount: bigint, burnVenue: Venue | null): TokenTransfer {
  return { ...supplyChange('burn', LP, amount), burnVenue };
}

/** Terms that release everything at once after the given number of days. */
function until(days: number): LockTerms {
  const time = NOW_MS + days * DAY_MS;
  return {
    isPermanent: false,
    firstUnlockTimeMs: time,
    lastUnlockTimeMs: time,
    isRevocable: false,
  };
}

function lock(escrow: string, escrowDelta: bigint, terms: LockTerms | null): TokenLock {
  return {
    kind: 'tokenLock',
    outerIx: 0,
    innerIx: -1,
    locker: 'streamflow',
    escrow: address(escrow),
    mint: LP,
    owner: address('owner'),
    escrowDelta: asRawAmount(escrowDelta),
    terms,
  };
}

function lpLock(rest: Partial<LpLock>): LpLock {
  return {
    kind: 'lpLock',
    outerIx: 0,
    innerIx: -1,
    pool: POOL,
    provider: address('owner'),
    amountRaw: asRawAmount(2n),
    lockKind: 'permanent',
    unlockTimeMs: null,
    ...rest,
  };
}

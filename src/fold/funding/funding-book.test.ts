import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { AddressRegistry, type RegistryRow } from '../../model/address-registry.ts';
import { type Address, asLamports, asSlot } from '../../model/units.ts';
import type { Moment } from '../market/logical-time.ts';
import { FundingBook } from './funding-book.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = 1_735_689_600_000;

const [a, b, c] = [named('a'), named('b'), named('c')];
const exchange = named('exchange');
const feeAccount = named('fee-account');

const REGISTRY = new AddressRegistry(1, [row(exchange, 'cex'), row(feeAccount, 'protocol_fee')]);

function row(address: Address, kind: RegistryRow['class']): RegistryRow {
  return { address, class: kind, name: 'name', source: 'test', addedAt: '2025-01-01' };
}

function later(ms: number): Moment {
  const slot = asSlot(1_000 + Math.floor(ms / 400));
  return { slot, timeMs: START_MS + ms, isTimeKnown: true } as Moment;
}

function createBook(undo = new UndoLog()) {
  const ids = new AddressIds<Address>(undo);
  const book = new FundingBook(ids, REGISTRY, undo);
  const pay = (from: Address, to: Address, lamports: bigint, ms = 0) =>
    book.applyPayment({ from, to, lamports: asLamports(lamports) }, later(ms));
  return { ids, book, pay };
}

describe('the funder of a wallet', () => {
  test('is the first payer, regardless of later payments', () => {
    const { book, pay } = createBook();
    pay(a, c, SOL, 10);
    pay(b, c, 100n * SOL, 20);
    expect(book.firstFunding(c)).toEqual({
      funder: a,
      lamports: SOL,
      slot: 1_000,
      timeMs: START_MS + 10,
    });
    expect(book.clusterOf(c)).toBe(a);
  });

  test.each([
    ['less than 0.002 SOL', a, c, 1_999_999n],
    ['a payment to itself', c, c, SOL],
    ['a payment from a fee account', feeAccount, c, SOL],
  ])('is not determined by %s', (_label, from, to, lamports) => {
    const { book, pay } = createBook();
    pay(from, to, lamports);
    expect(book.firstFunding(c)).toBe(null);
    expect(book.clusterOf(c)).toBe(c);
  });

  test('links no wallets if it is an exchange or a hub', () => {
    const { book, pay } = createBook();
    pay(exchange, c, SOL);
    expect(book.firstFunding(c)?.funder).toBe(exchange);
    expect(book.clusterOf(c)).toBe(c);
    pay(a, b, SOL);
    expect(book.clusterOf(b)).toBe(a);
    for (let index = 0; index < 200; index++) pay(a, named(`wallet-${index}`), SOL, index);
    expect(book.classify(a)).toBe('hub');
    expect(book.clusterOf(b)).toBe(b);
  });

  test('links the wallets that were funded by a new wallet', () => {
    const { book, pay } = createBook();
    const children = Array.from({ length: 20 }, (_, index) => named(`child-${index}`));
    for (const child of children) pay(a, child, SOL);
    expect(new Set(children.map((child) => book.clusterOf(child)))).toEqual(new Set([a]));
  });

  test('is kept with the four strongest, which decay by 1/e per week', () => {
    const { book, pay } = createBook();
    const funders = ['f1', 'f2', 'f3', 'f4', 'f5'].map(named);
    for (const [index, funder] of funders.slice(0, 4).entries()) {
      pay(funder, c, BigInt(index + 2) * SOL);
    }
    // 2 SOL count as 0.736 SOL a week later: 0.8 SOL replace them, 0.7 SOL do not.
    pay(named('f5'), c, (7n * SOL) / 10n, 7 * DAY_MS);
    expect(book.edges(c).map(({ funder }) => funder)).toEqual(['f4', 'f3', 'f2', 'f1']);
    pay(named('f5'), c, (8n * SOL) / 10n, 7 * DAY_MS);
    expect(book.edges(c).map(({ funder }) => funder)).toEqual(['f4', 'f3', 'f2', 'f5']);
    pay(named('f2'), c, SOL, 7 * DAY_MS);
    const edge = book.edges(c).find(({ funder }) => funder === 'f2');
    expect(edge?.strength).toBeCloseTo(1e9 * (3 / Math.E + 1), 0);
    expect(edge?.lamports).toBe(4e9);
    expect(book.firstFunding(c)?.funder).toBe('f1');
  });

  test('is removed after two days unless the wallet trades', () => {
    const { book, pay } = createBook();
    pay(a, b, SOL);
    pay(a, c, SOL);
    book.noteTrader(c);
    book.forgetIdle(START_MS + 2 * DAY_MS);
    expect(book.size).toBe(2);
    book.forgetIdle(START_MS + 2 * DAY_MS + 1);
    expect(book.firstFunding(b)).toBe(null);
    expect(book.firstFunding(c)?.funder).toBe(a);
  });

  test('is a sponsor if it pays the fees of fifty owners in ten mints, not of fewer', () => {
    const { book } = createBook();
    const note = (owner: number, mint: number) =>
      book.notePayer(a, named(`owner-${owner}`), named(`mint-${mint}`), later(owner));
    for (let owner = 0; owner < 49; owner++) note(owner, owner % 10);
    expect(book.classify(a)).toBe(null);
    note(49, 0);
    expect(book.classify(a)).toBe('sponsor');
  });

  test('counts sponsored fees per week', () => {
    const { book } = createBook();
    for (let owner = 0; owner < 80; owner++) {
      const mint = named(`mint-${owner % 10}`);
      book.notePayer(a, named(`owner-${owner}`), mint, later(owner < 40 ? 0 : 7 * DAY_MS));
    }
    expect(book.classify(a)).toBe(null);
  });
});

const anyPayment = fc.record({
  from: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'exchange'),
  to: fc.constantFrom('a', 'b', 'c', 'd', 'x', 'y'),
  milliSol: fc.integer({ min: 1, max: 5_000 }),
  afterMs: fc.integer({ min: 0, max: DAY_MS }),
});

describe('the class of an address', () => {
  /** What makes an address one of a class, in one slot. */
  const behaviours = {
    hub: ({ pay }: Stage) => {
      for (let index = 0; index <= 200; index++) pay(a, named(`wallet-${index}`), SOL, index);
    },
    sponsor: ({ book }: Stage) => {
      for (let owner = 0; owner < 50; owner++) {
        book.notePayer(a, named(`owner-${owner}`), named(`mint-${owner % 10}`), later(owner));
      }
    },
    protocol_fee: ({ book }: Stage) => {
      for (let swap = 0; swap < 100; swap++) book.noteFees('pump', [a], later(swap));
    },
  } as const;

  test.each(Object.entries(behaviours))(
    'becomes %s by what it does, and is none again after an undo',
    (expected, behave) => {
      const undo = new UndoLog(1);
      const stage = createBook(undo);
      const { ids, book } = stage;
      const id = ids.idOf(a);
      expect(book.classify(a)).toBeNull();
      undo.open();
      behave(stage);
      expect(book.classify(a)).toBe(expected);
      expect(book.classifyById(id)).toBe(expected);
      undo.asOfOpening(() => expect(book.classify(a)).toBeNull());
      expect(book.classify(a)).toBe(expected);
      undo.close();
      undo.undo();
      expect(book.classify(a)).toBeNull();
    },
  );
});

describe('a stream of payments', () => {
  test('gives the same first funder as a list of all payments', () => {
    fc.assert(
      fc.property(fc.array(anyPayment, { maxLength: 60 }), (payments) => {
        const { book, pay } = createBook();
        let ms = 0;
        for (const { from, to, milliSol, afterMs } of payments) {
          ms += afterMs;
          pay(named(from), named(to), BigInt(milliSol) * 1_000_000n, ms);
        }
        for (const wallet of ['a', 'b', 'c', 'd', 'x', 'y']) {
          const first = payments.find(
            ({ from, to, milliSol }) => to === wallet && from !== wallet && milliSol >= 2,
          );
          expect(book.firstFunding(named(wallet))?.funder ?? null).toBe(first?.from ?? null);
          expect(book.edges(named(wallet)).length).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('leaves no trace after undo', () => {
    fc.assert(
      fc.property(
        fc.array(anyPayment, { maxLength: 40 }),
        fc.array(anyPayment, { maxLength: 40 }),
        (kept, undone) => {
          const undo = new UndoLog(1);
          const { book, pay } = createBook(undo);
          const apply = ({ from, to, milliSol, afterMs }: (typeof kept)[number]) => {
            pay(named(from), named(to), BigInt(milliSol) * 1_000_000n, afterMs);
            book.notePayer(named(from), named(to), named('mint'), later(afterMs));
          };
          kept.forEach(apply);
          const before = sumsOf(undo.pages);
          undo.open();
          undone.forEach(apply);
          book.forgetIdle(START_MS + 90 * DAY_MS);
          undo.close();
          undo.undo();
          expect(sumsOf(undo.pages)).toEqual(before);
        },
      ),
      { numRuns: 100 },
    );
  });
});

test('the wallets that an address paid within 7 days are counted right at each slot, also after undos', () => {
  const wallets = ['a', 'b', 'c', 'd'].map(named);
  const anySlot = fc.record({
    payments: fc.array(anyPayment, { maxLength: 4 }),
    afterMs: fc.integer({ min: 0, max: 3 * DAY_MS }),
    isUndone: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anySlot, { maxLength: 20 }), (slots) => {
      const undo = new UndoLog(1);
      const { ids, book, pay } = createBook(undo);
      let paid: { readonly from: Address; readonly to: Address; readonly ms: number }[] = [];
      let nowMs = 0;
      const expectCounted = (ms: number) => {
        for (const wallet of wallets) {
          const since = paid.filter(({ from, ms: at }) => from === wallet && at > ms - 7 * DAY_MS);
          const expected = new Set(since.map(({ to }) => to)).size;
          expect(book.fanOutById(ids.find(wallet), START_MS + ms)).toBe(expected);
        }
      };
      for (const { payments, afterMs, isUndone } of slots) {
        const [before, ms] = [paid, nowMs + afterMs];
        expectCounted(ms);
        undo.open();
        for (const { from, to, milliSol } of payments) {
          const isCounted = pay(named(from), named(to), BigInt(milliSol) * 1_000_000n, ms);
          if (isCounted) paid = [...paid, { from: named(from), to: named(to), ms }];
        }
        undo.close();
        expectCounted(ms);
        if (isUndone) {
          undo.undo();
          paid = before;
        } else {
          undo.forget(1);
          nowMs = ms;
        }
        expectCounted(nowMs);
      }
    }),
    { numRuns: 200 },
  );
});

type Stage = ReturnType<typeof createBook>;
type SomePayment = typeof anyPayment extends fc.Arbitrary<infer Value> ? Value : never;

test('answers are the same from the store, and after a restart from a checkpoint', () => {
  const wallets = ['a', 'b', 'c', 'd', 'x', 'y'].map(named);
  const kind = {
    create: (_: unknown, undo: UndoLog) => createBook(undo),
    apply: ({ book, pay }: Stage, payments: readonly (SomePayment & { readonly ms: number })[]) => {
      for (const { from, to, milliSol, ms } of payments) {
        pay(named(from), named(to), BigInt(milliSol) * 1_000_000n, ms);
        if (milliSol % 3 === 0) book.noteTrader(named(to));
        book.notePayer(named(from), named(to), named(`mint ${milliSol % 4}`), later(ms));
        book.noteFees('pump', [named(from), feeAccount], later(ms));
        book.forgetIdle(START_MS + ms);
      }
    },
    answers: ({ ids, book }: Stage) => ({
      ...{ size: book.size, hubs: book.hubCount, learned: book.learnedFeeAccounts },
      wallets: wallets.map((wallet) => [
        ...[book.firstFunding(wallet), book.edges(wallet), book.clusterOf(wallet)],
        ...[book.classify(wallet), book.fanOutById(ids.find(wallet), START_MS)],
        ...[book.firstFundingById(ids.find(wallet))],
      ]),
    }),
  };
  const anyStory = fc.array(fc.tuple(fc.array(anyPayment, { maxLength: 20 }), fc.boolean()), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyStory, fc.nat({ max: 12 }), (story, restoredAt) => {
      let ms = 0;
      const slots = story.map(([payments, isUndone]) => ({
        slot: payments.map((payment) => {
          ms += payment.afterMs;
          return { ...payment, ms };
        }),
        reverted: Number(isUndone),
      }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
    { numRuns: 100 },
  );
});

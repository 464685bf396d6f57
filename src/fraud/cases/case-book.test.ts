import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
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
  other,
  place,
  START_MS,
} from '../../../tests/support/build-case-entries.ts';
import { named, signatureNamed } from '../../../tests/support/made-up-units.ts';
import { type CaseEvent, NaiveCases } from '../../../tests/support/naive-cases.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { encodeBase58 } from '../../lib/base58.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import {
  type Address,
  asLamports,
  asRawAmount,
  asSignature,
  asSlot,
  asUsdNano,
} from '../../model/units.ts';
import { CaseBook } from './case-book.ts';
import { CASE_BOUNDS, type CaseBounds } from './case-bounds.ts';

const DAY_MS = 86_400_000;
const U64_MAX = 2n ** 64n - 1n;

function createBook(bounds: Partial<CaseBounds> = {}, undo = new UndoLog()) {
  return new CaseBook(new AddressIds(undo), undo, bounds);
}

const slots = (refs: readonly TransactionRef[]) => refs.map(({ slot }) => slot - 1_000);

describe('the lists of a mint', () => {
  test('store all fields of a trade, including unknown ones', () => {
    const book = createBook();
    const complete = aTrade(1, {
      feePayer: b,
      cosigners: [c, a, b],
      side: 'sell',
      baseRaw: asRawAmount(U64_MAX),
      usd: asUsdNano(0n),
      priceSol: 1.25e-9,
      poolLamports: asLamports(7n),
      group: { id: 'mint 3', level: 'L2o' },
      isRoundTrip: true,
      isArbitrage: true,
      isTerminal: true,
      privateProgram: named('program'),
    });
    const sparse = aTrade(2);
    book.applyTrade(mint, complete);
    book.applyTrade(mint, sparse);
    expect(book.trades(mint)).toEqual([complete, sparse]);
    expect(book.trades(other)).toEqual([]);
  });

  test('store pool changes of 64 bits in both directions', () => {
    const book = createBook();
    const changes = [aChange(1, -U64_MAX, U64_MAX), aChange(2, U64_MAX, -U64_MAX), aChange(3, 0n)];
    for (const change of changes) book.applyLiquidity(mint, change);
    expect(book.liquidity(mint)).toEqual(changes);
  });

  test('distinguish a lock that ends at the epoch from a permanent one', () => {
    const book = createBook();
    book.applyLock(mint, aLock(1, null));
    book.applyLock(mint, aLock(2, 0));
    expect(book.locks(mint).map(({ firstUnlockMs }) => firstUnlockMs)).toEqual([null, 0]);
  });

  test('leave out and count amounts over 64 bits and invalid signatures', () => {
    const book = createBook();
    const beyond = U64_MAX + 1n;
    book.applyTrade(mint, aTrade(1, { baseRaw: asRawAmount(beyond) }));
    book.applyTrade(mint, aTrade(2, { lamports: asLamports(-1n) }));
    book.applyTransfer(mint, aTransfer(3, beyond));
    book.applyLiquidity(mint, aChange(4, -beyond));
    book.applyLock(mint, { ...aLock(5), amountRaw: asRawAmount(beyond) });
    book.applyPayment(aPayment(6, a, b, beyond));
    const unsigned = { signature: signatureNamed('of a test') };
    book.applyTrade(mint, aTrade(6, unsigned));
    book.applyPayment({ ...aPayment(6), ...unsigned });
    expect(book.size).toBe(0);
    expect(book.payments([a, b])).toEqual([]);
    expect(book.counts.refused).toBe(8);
    const rich = { usd: asUsdNano(beyond), poolLamports: asLamports(beyond) };
    book.applyTrade(mint, aTrade(7, rich));
    expect(book.trades(mint)).toEqual([aTrade(7)]);
  });

  test('keep the first quarter and the newest three quarters of their bound', () => {
    const book = createBook();
    for (const index of numbers(0, 2_100)) {
      book.applyTrade(mint, aTrade(index));
      book.applyTransfer(mint, aTransfer(index));
      book.applyLiquidity(mint, aChange(index));
      book.applyLock(mint, aLock(index));
    }
    expect(slots(book.trades(mint))).toEqual([...numbers(0, 512), ...numbers(564, 2_100)]);
    expect(slots(book.transfers(mint))).toEqual([...numbers(0, 256), ...numbers(1_332, 2_100)]);
    const quarter = [...numbers(0, 64), ...numbers(1_908, 2_100)];
    expect(slots(book.liquidity(mint))).toEqual(quarter);
    expect(slots(book.locks(mint))).toEqual(quarter);
    const { tradesCut, transfersCut, liquidityCut, locksCut } = book.counts;
    expect([tradesCut, transfersCut, liquidityCut, locksCut]).toEqual([52, 1_076, 1_844, 1_844]);
  });
});

describe('a mint', () => {
  test('is forgotten with all its lists after more than a week without trades', () => {
    const book = createBook();
    book.applyTrade(mint, aTrade(0));
    book.applyTransfer(mint, { ...aTransfer(1), timeMs: START_MS + 6 * DAY_MS });
    book.applyLock(other, aLock(0));
    book.forgetIdle(START_MS + 7 * DAY_MS);
    expect(book.size).toBe(2);
    book.forgetIdle(START_MS + 7 * DAY_MS + 1);
    expect([book.trades(mint), book.transfers(mint), book.locks(other)]).toEqual([[], [], []]);
    expect(book.counts.mintsForgotten).toBe(2);
  });

  test('with many entries leaves room for few others to be forgotten in one call', () => {
    const book = createBook({ transfers: { first: 4_000, newest: 1_000 } });
    const mints = ['one', 'two', 'three', 'four'].map(named);
    for (const [index, of] of mints.entries()) {
      for (let entry = 0; entry < 3_000; entry++) book.applyTransfer(of, aTransfer(index));
    }
    const idleMs = START_MS + 8 * DAY_MS;
    const left = [1, 2, 3].map(() => {
      book.forgetIdle(idleMs);
      return book.size;
    });
    expect(left).toEqual([2, 0, 0]);
  });

  test('that trades again after more than a week starts with empty lists', () => {
    const book = createBook();
    book.applyTrade(mint, aTrade(0));
    book.applyLock(mint, aLock(1));
    book.applyTrade(mint, { ...aTrade(2), timeMs: START_MS + 7 * DAY_MS + 1 });
    expect(slots(book.trades(mint))).toEqual([2]);
    expect(book.locks(mint)).toEqual([]);
  });
});

describe('the payments of wallets', () => {
  test('are the first 4 and the newest 12 of each direction', () => {
    const book = createBook();
    for (const index of numbers(0, 20)) {
      book.applyPayment(aPayment(2 * index, a, named(`to ${index}`)));
      book.applyPayment(aPayment(2 * index + 1, named(`from ${index}`), a));
    }
    const kept = [...numbers(0, 8), ...numbers(16, 40)];
    expect(slots(book.payments([a]))).toEqual(kept);
    expect(book.counts.paymentsCut).toBe(8);
  });

  test('are kept for the other wallet when one wallet evicts them', () => {
    const book = createBook();
    for (const index of numbers(0, 20)) {
      book.applyPayment(aPayment(index, a, named(`to ${index}`), BigInt(index)));
    }
    expect(book.payments([named('to 5')])).toEqual([aPayment(5, a, named('to 5'), 5n)]);
    expect(slots(book.payments([a]))).not.toContain(5);
  });

  test('are the same in views, including their signatures', () => {
    const book = createBook();
    const payments = [aPayment(1, a, b, 7n), aPayment(2, b, c, 8n), aPayment(3, a, c, 9n)];
    for (const payment of payments) book.applyPayment(payment);
    const logs = book.paymentLogs;
    const rows = logs.inOrder([...logs.receivedBy(c), ...logs.receivedBy(b)]);
    const viewed = logs
      .viewAll(rows)
      .map((payment) => ({ ...payment, signature: payment.signature }));
    expect(viewed).toEqual(payments);
    expect(logs.readAll(rows)).toEqual(payments);
  });

  test('show when a wallet was first seen, and its number of transactions since', () => {
    const book = createBook();
    const logs = book.paymentLogs;
    expect(logs.walletById(logs.idOf(a))).toBeNull();
    book.applyPayment(aPayment(3, a, b));
    book.applyPayment(aPayment(5, a, b));
    for (const _ of numbers(0, 2)) logs.noteTransaction(b);
    logs.noteTransaction(c);
    const { slot, timeMs } = place(3);
    // A payer had money before that; a payee may be new.
    expect(logs.walletById(logs.idOf(a))).toEqual({ slot, timeMs, isOlder: true, transactions: 0 });
    expect(logs.walletById(logs.idOf(b))).toEqual({
      slot,
      timeMs,
      isOlder: false,
      transactions: 2,
    });
    expect(logs.walletById(logs.idOf(c))).toBeNull();
    logs.markOlder(b);
    for (const _ of numbers(0, 300)) logs.noteTransaction(b);
    expect(logs.walletById(logs.idOf(b))).toEqual({
      slot,
      timeMs,
      isOlder: true,
      transactions: 255,
    });
  });

  test('are in block order, each once, also several of one transaction', () => {
    const book = createBook();
    const payments = [
      aPayment(1, c, b, 1n),
      aPayment(1, a, b, 2n),
      aPayment(1, b, a, 3n),
      aPayment(2, a, a, 4n),
      aPayment(3, b, c, 5n),
    ];
    for (const payment of payments) book.applyPayment(payment);
    expect(book.payments([c, b, a, b])).toEqual(payments);
    expect(book.payments([a])).toEqual(payments.slice(1, 4));
  });
});

const TIGHT: CaseBounds = {
  ...CASE_BOUNDS,
  trades: { first: 2, newest: 3 },
  transfers: { first: 1, newest: 2 },
  liquidity: { first: 1, newest: 1 },
  locks: { first: 2, newest: 1 },
  payments: { first: 1, newest: 2 },
};
const MINTS = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'].map(named);
const WALLETS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'].map(named);

const anyWord = fc.bigInt({ min: 0n, max: U64_MAX });
const anyMint = fc.constantFrom(...MINTS);
const anyWallet = fc.constantFrom(...WALLETS);
const anyPlace = fc.record({
  timeMs: fc.nat({ max: 4 * DAY_MS }),
  txIndex: fc.nat({ max: 2_000 }),
  signature: fc
    .uint8Array({ minLength: 64, maxLength: 64 })
    .map((bytes) => asSignature(encodeBase58(bytes))),
});
const anyTrade = fc.record({
  wallet: anyWallet,
  feePayer: anyWallet,
  cosigners: fc.array(anyWallet, { maxLength: 3 }),
  pool: anyWallet,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  baseRaw: anyWord.map(asRawAmount),
  lamports: anyWord.map(asLamports),
  usd: fc.option(anyWord.map(asUsdNano)),
  priceSol: fc.option(fc.double({ min: 0, noNaN: true })),
  poolLamports: fc.option(anyWord.map(asLamports)),
  group: fc.option(
    fc.record({ id: fc.constantFrom('1', '2'), level: fc.constantFrom('L1', 'L2', 'L2o', 'L3') }),
  ),
  isRoundTrip: fc.boolean(),
  isArbitrage: fc.boolean(),
  isTerminal: fc.boolean(),
  privateProgram: fc.option(anyWallet),
});
const anyTransfer = fc.record({ from: anyWallet, to: anyWallet, amountRaw: anyWord });
const anyLiquidity = fc.record({
  pool: anyWallet,
  provider: anyWallet,
  baseRaw: fc.bigInt({ min: -U64_MAX, max: U64_MAX }),
  lamports: fc.bigInt({ min: -U64_MAX, max: U64_MAX }),
});
const anyLock = fc.record({
  owner: anyWallet,
  escrow: anyWallet,
  amountRaw: anyWord,
  firstUnlockMs: fc.option(fc.nat()),
});
const anyPayment = fc.record({ from: anyWallet, to: anyWallet, lamports: anyWord });

const anyDraft = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('trade'), anyMint, anyTrade, anyPlace) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('transfer'), anyMint, anyTransfer, anyPlace) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('liquidity'), anyMint, anyLiquidity, anyPlace) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('lock'), anyMint, anyLock, anyPlace) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('payment'), anyMint, anyPayment, anyPlace) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('forget'), anyMint, anyPayment, anyPlace) },
);
/** Groups are identified by their mint and first transaction. */
function withGroupOf(mint: Address, draft: object): object {
  if (!('group' in draft) || draft.group === null) return draft;
  const group = draft.group as { readonly id: string };
  return { ...draft, group: { ...group, id: `${mint} ${group.id}` } };
}

/** A stream in block order: most events come at once, some after hours or days. */
const anyStream = fc
  .array(fc.tuple(anyDraft, fc.boolean()), { maxLength: 120, size: 'max' })
  .map((drafts): CaseEvent[] => {
    let timeMs = START_MS;
    return drafts.map(([[kind, name, draft, at], isLater], index) => {
      if (isLater) timeMs += Math.floor(at.timeMs / 8);
      if (kind === 'forget') return { kind, timeMs } as CaseEvent;
      const entry = { ...withGroupOf(name, draft), ...at, timeMs, slot: asSlot(1_000 + index) };
      return (kind === 'payment' ? { kind, entry } : { kind, mint: name, entry }) as CaseEvent;
    });
  });

function apply(book: CaseBook, event: CaseEvent): void {
  if (event.kind === 'trade') book.applyTrade(event.mint, event.entry);
  else if (event.kind === 'transfer') book.applyTransfer(event.mint, event.entry);
  else if (event.kind === 'liquidity') book.applyLiquidity(event.mint, event.entry);
  else if (event.kind === 'lock') book.applyLock(event.mint, event.entry);
  else if (event.kind === 'payment') book.applyPayment(event.entry);
  else book.forgetIdle(event.timeMs);
}

function expectAlike(book: CaseBook, naive: NaiveCases): void {
  for (const name of MINTS) {
    expect(book.trades(name)).toEqual(naive.of(name, 'trade'));
    expect(book.transfers(name)).toEqual(naive.of(name, 'transfer'));
    expect(book.liquidity(name)).toEqual(naive.of(name, 'liquidity'));
    expect(book.locks(name)).toEqual(naive.of(name, 'lock'));
  }
  for (const wallet of WALLETS) {
    expect(book.payments([wallet])).toEqual(naive.payments([wallet]));
  }
  expect(book.payments(WALLETS)).toEqual(naive.payments(WALLETS));
  const zeros = createBook().counts;
  expect(book.counts).toEqual({ ...zeros, ...naive.counts });
}

/** What is kept of payments is what their rows say. */
function expectReceived({ paymentLogs }: CaseBook): void {
  for (const id of WALLETS.map((wallet) => paymentLogs.idOf(wallet))) {
    const flows = paymentLogs.receivedPayments(id).flows.map(({ payer: _, ...flow }) => flow);
    expect(flows).toEqual(paymentLogs.readFlows(paymentLogs.receivedById(id)));
  }
}

// Streams are long: failing ones are reported without shrinking, which takes minutes.
describe('a random stream of entries', () => {
  test('gives the same as unbounded lists that are cut when read', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const [book, naive] = [createBook(TIGHT), new NaiveCases(TIGHT)];
        for (const event of events) {
          apply(book, event);
          naive.apply(event);
        }
        expectAlike(book, naive);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  test('can be undone step by step, and gives the same when repeated', () => {
    fc.assert(
      fc.property(anyStream, fc.nat({ max: 119 }), (events, at) => {
        const undo = new UndoLog(120);
        const book = createBook(TIGHT, undo);
        const kept = Math.min(at, events.length);
        for (const event of events.slice(0, kept)) apply(book, event);
        const tell = () =>
          events.slice(kept).map((event) => {
            const before = sumsOf(undo.pages);
            undo.open();
            apply(book, event);
            undo.close();
            expectReceived(book);
            return before;
          });
        const digests = tell();
        const last = sumsOf(undo.pages);
        for (const digest of digests.toReversed()) {
          undo.undo();
          expect(sumsOf(undo.pages)).toEqual(digest);
          expectReceived(book);
        }
        tell();
        expect(sumsOf(undo.pages)).toEqual(last);
        const naive = new NaiveCases(TIGHT);
        for (const event of events) naive.apply(event);
        expectAlike(book, naive);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  test('gives the same from the store, and after a restart from a checkpoint', () => {
    const kind = {
      create: (_: unknown, undo: UndoLog) => createBook(TIGHT, undo),
      apply: (book: CaseBook, some: readonly CaseEvent[]) => {
        for (const event of some) apply(book, event);
      },
      answers: (book: CaseBook) => ({
        mints: MINTS.map((name) => [
          ...[book.trades(name), book.transfers(name), book.liquidity(name), book.locks(name)],
        ]),
        wallets: WALLETS.map((wallet) =>
          book.paymentLogs.walletById(book.paymentLogs.idOf(wallet)),
        ),
        received: WALLETS.map(
          (wallet) => book.paymentLogs.receivedPayments(book.paymentLogs.idOf(wallet)).flows,
        ),
        payments: book.payments(WALLETS),
        counts: [book.size, book.counts],
      }),
    };
    fc.assert(
      fc.property(anyStream, fc.nat({ max: 30 }), fc.nat(), (events, restoredAt, undone) => {
        const slots = Array.from({ length: Math.ceil(events.length / 4) }, (_, index) => ({
          slot: events.slice(4 * index, 4 * index + 4),
          reverted: Number(((undone >> (index % 31)) & 3) === 3),
        }));
        expectAsInMemory(kind, slots, restoredAt);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });
});

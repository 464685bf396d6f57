import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { encodeBase58 } from '../../lib/base58.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asSignature, asSlot } from '../../model/units.ts';
import { LaunchBook } from './launch-book.ts';
import { LaunchSnipes } from './launch-snipes.ts';
import { PoolFees } from './pool-fees.ts';
import { TradeTrails } from './trade-trails.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const [a, b, c, mint] = [named('a'), named('b'), named('c'), named('mint')];

function refAt(number: number): TransactionRef {
  const bytes = new Uint8Array(64).fill(1);
  new DataView(bytes.buffer).setUint32(60, number);
  const signature = asSignature(encodeBase58(bytes));
  return { slot: asSlot(number), timeMs: number * 400, txIndex: number % 5, signature };
}

function books(undo = new UndoLog()) {
  const ids = new AddressIds<Address>(undo);
  return {
    launches: new LaunchBook(ids, undo),
    trails: new TradeTrails(ids, undo),
    snipes: new LaunchSnipes(ids, undo),
    fees: new PoolFees(ids, undo),
  };
}

describe('trails', () => {
  const trade = (name: string, at: number, side: 'buy' | 'sell' = 'buy', timeMs = at) => ({
    ...{ mint: named(name), slot: asSlot(at), timeMs, side },
  });

  test('pair wallets by the mints they bought or sold in one slot, each mint once', () => {
    const { trails } = books();
    for (const wallet of [b, a]) {
      trails.note(wallet, trade('m1', 10));
      trails.note(wallet, trade('m1', 11));
      trails.note(wallet, trade('m2', 12, 'sell'));
      trails.note(wallet, trade('mint', 13));
    }
    trails.note(c, trade('m1', 10, 'sell'));
    trails.note(c, trade('m2', 12, 'sell'));
    expect(trails.coTradesOf([b, a, c, a], mint, 100)).toEqual([
      { one: a, other: b, mints: 2 },
      { one: a, other: c, mints: 1 },
      { one: b, other: c, mints: 1 },
    ]);
    expect(trails.coTradesOf([a, c], named('m2'), 100)).toEqual([]);
  });

  test('leave out trades that are a week old', () => {
    const { trails } = books();
    for (const wallet of [a, b]) trails.note(wallet, trade('m1', 10, 'buy', 1_000));
    expect(trails.coTradesOf([a, b], mint, 999 + WEEK_MS)).toHaveLength(1);
    expect(trails.coTradesOf([a, b], mint, 1_000 + WEEK_MS)).toEqual([]);
  });

  test('are the 16 newest trades, equal ones counted once', () => {
    const { trails } = books();
    for (let nth = 0; nth < 16; nth++) {
      for (const wallet of [a, b, a]) trails.note(wallet, trade(`m${nth}`, 10));
    }
    expect(trails.coTradesOf([a, b], mint, 100)).toEqual([{ one: a, other: b, mints: 16 }]);
    trails.note(a, trade('m16', 11));
    expect(trails.coTradesOf([a, b], mint, 100)).toEqual([{ one: a, other: b, mints: 15 }]);
    for (let nth = 17; nth < 20; nth++) trails.note(a, trade(`m${nth}`, 11));
    expect(trails.coTradesOf([a, b], mint, 100)).toEqual([{ one: a, other: b, mints: 12 }]);
    for (let nth = 16; nth < 20; nth++) trails.note(b, trade(`m${nth}`, 11));
    expect(trails.coTradesOf([a, b], mint, 100)).toEqual([{ one: a, other: b, mints: 16 }]);
  });

  test('give the same pairs as a list of all trades, for at most 16 per wallet', () => {
    const anyTrade = fc.record({
      wallet: fc.constantFrom('a', 'b', 'c'),
      mint: fc.constantFrom('m1', 'm2', 'm3'),
      later: fc.boolean(),
      side: fc.constantFrom('buy' as const, 'sell' as const),
    });
    fc.assert(
      fc.property(fc.array(anyTrade, { maxLength: 16 }), (drafts) => {
        const { trails } = books();
        let at = 1;
        const all = drafts.map(({ wallet, mint: name, later, side }) => {
          if (later) at++;
          trails.note(named(wallet), trade(name, at, side));
          return { wallet, mint: name, at, side };
        });
        const together = (one: string, other: string) =>
          new Set(
            all
              .filter((own) => own.wallet === one && own.mint !== 'm3')
              .filter((own) =>
                all.some(
                  (their) =>
                    their.wallet === other &&
                    their.mint === own.mint &&
                    their.at === own.at &&
                    their.side === own.side,
                ),
              )
              .map((own) => own.mint),
          ).size;
        const expected = [
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'c'],
        ].flatMap(([one = '', other = '']) => {
          const mints = together(one, other);
          return mints === 0 ? [] : [{ one, other, mints }];
        });
        expect(trails.coTradesOf([a, b, c], named('m3'), 100)).toEqual(expected);
      }),
    );
  });
});

describe('snipes', () => {
  const launch = (name: string, creator: Address, timeMs = 0) => ({
    ...{ mint: named(name), creator, timeMs },
  });

  test('are counted once per launch of the last week, without the current one', () => {
    const { snipes } = books();
    snipes.note(a, launch('m1', b));
    snipes.note(a, launch('m1', b));
    snipes.note(a, launch('m2', b, 5));
    snipes.note(a, launch('m3', c, 5));
    expect(snipes.countOf(a, mint, 1)).toEqual({ snipes: 3, creators: 2 });
    expect(snipes.countOf(a, named('m3'), 1)).toEqual({ snipes: 2, creators: 1 });
    expect(snipes.countOf(a, mint, WEEK_MS)).toEqual({ snipes: 2, creators: 2 });
    expect(snipes.countOf(b, mint, 1)).toEqual({ snipes: 0, creators: 0 });
  });

  test('are enough to detect 20 launches of 20 creators besides the current one', () => {
    const { snipes } = books();
    for (let nth = 0; nth < 50; nth++) snipes.note(a, launch(`m${nth}`, named(`creator ${nth}`)));
    expect(snipes.countOf(a, named('m49'), 1)).toEqual({ snipes: 31, creators: 31 });
  });
});

describe('launches that a wallet bought in a bundle', () => {
  test('are those of the week before a time, whichever purchase was placed with others', () => {
    const { snipes } = books();
    const launch = (name: string, timeMs: number) => ({ mint: named(name), creator: b, timeMs });
    snipes.note(a, launch('m1', 0), true);
    snipes.note(a, launch('m2', 5));
    snipes.note(a, launch('m3', 6));
    snipes.note(a, launch('m3', 6), true);
    snipes.note(a, launch('m4', 7), true);
    expect(snipes.bundledBefore(a, 7)).toEqual(['m3', 'm1'].map(named));
    expect(snipes.bundledBefore(a, WEEK_MS)).toEqual(['m4', 'm3'].map(named));
    expect(snipes.bundledBefore(b, 7)).toEqual([]);
  });
});

describe('launches', () => {
  test('are when a mint could first be bought, with the creator of the mint', () => {
    const { launches } = books();
    launches.applyCreated(mint, a, refAt(1));
    expect(launches.launchOf(mint)).toEqual({ ...refAt(1), creator: a, isListedSale: false });
    launches.applyOpened(mint, { creator: b, isLaunch: true }, refAt(2));
    launches.applyOpened(mint, { creator: c, isLaunch: false }, refAt(3));
    launches.applyCreated(mint, c, refAt(3));
    expect(launches.launchOf(mint)).toEqual({ ...refAt(2), creator: a, isListedSale: false });
  });

  test('are sniped up to two slots later, if a launchpad names the creator', () => {
    const { launches } = books();
    launches.applyOpened(mint, { creator: b, isLaunch: true }, refAt(10));
    launches.applyOpened(named('pool only'), { creator: b, isLaunch: false }, refAt(10));
    expect(launches.launchSnipedIn(asSlot(12), mint)).toEqual({ mint, creator: b, timeMs: 4_000 });
    expect(launches.launchSnipedIn(asSlot(13), mint)).toBeNull();
    expect(launches.launchSnipedIn(asSlot(10), named('pool only'))).toBeNull();
  });

  test('are bundled when trades of their first slots were placed together, counted once', () => {
    const { launches } = books();
    for (const [nth, name] of ['m1', 'm2'].map(named).entries()) {
      launches.applyOpened(name, { creator: a, isLaunch: true }, refAt(10 * nth));
    }
    launches.noteGrouped(named('m1'), asSlot(1));
    launches.noteGrouped(named('m1'), asSlot(2));
    launches.noteGrouped(named('m2'), asSlot(13));
    expect(launches.bundlesOf(a, mint)).toBe(1);
    expect(launches.bundlesOf(a, named('m1'))).toBe(0);
    expect(launches.bundlesOf(a, named('m2'))).toBe(1);
    expect(launches.bundlesOf(b, mint)).toBe(0);
  });
});

test('a fee is that of the last trade with a fee, by default 25 basis points', () => {
  const { fees } = books();
  const swap = (feeQuoteRaw: bigint | null, poolQuoteDelta: bigint) =>
    ({ pool: a, feeQuoteRaw, poolQuoteDelta }) as Swap;
  expect(fees.of(a)).toBe(25);
  fees.note(swap(1n, -100n));
  fees.note(swap(null, 100n));
  fees.note(swap(1n, 0n));
  expect(fees.of(a)).toBe(100);
});

const WALLETS = ['a', 'b', 'c', 'd'] as const;
const MINTS = ['m1', 'm2', 'm3', 'm4'] as const;
const anyNote = fc.record({
  kind: fc.constantFrom('trail', 'seen', 'snipe', 'created', 'opened', 'grouped', 'fee'),
  wallet: fc.constantFrom(...WALLETS),
  mint: fc.constantFrom(...MINTS),
  at: fc.integer({ min: 1, max: 9 }),
});
type Note = typeof anyNote extends fc.Arbitrary<infer Value> ? Value : never;

function apply(own: ReturnType<typeof books>, note: Note): void {
  const [wallet, name] = [named(note.wallet), named(note.mint)];
  const at = refAt(note.at);
  if (note.kind === 'trail') own.trails.note(wallet, { ...at, mint: name, side: 'buy' });
  if (note.kind === 'seen') own.trails.see(wallet);
  if (note.kind === 'snipe') own.snipes.note(wallet, { ...at, mint: name, creator: wallet });
  if (note.kind === 'created') own.launches.applyCreated(name, wallet, at);
  if (note.kind === 'opened')
    own.launches.applyOpened(name, { creator: wallet, isLaunch: true }, at);
  if (note.kind === 'grouped') own.launches.noteGrouped(name, at.slot);
  if (note.kind === 'fee') {
    const swap = { pool: name, feeQuoteRaw: BigInt(note.at), poolQuoteDelta: 100n };
    own.fees.note(swap as Swap);
  }
}

test('every note can be undone, and gives the same when repeated', () => {
  fc.assert(
    fc.property(fc.array(anyNote, { maxLength: 40 }), fc.nat({ max: 40 }), (notes, from) => {
      const undo = new UndoLog(40);
      const own = books(undo);
      for (const note of notes.slice(0, from)) apply(own, note);
      const before: string[] = [];
      for (const note of notes.slice(from)) {
        before.push(sumsOf(undo.pages));
        undo.open();
        apply(own, note);
        undo.close();
      }
      const last = sumsOf(undo.pages);
      for (const lines of before.toReversed()) {
        undo.undo();
        expect(sumsOf(undo.pages)).toEqual(lines);
      }
      for (const note of notes.slice(from)) apply(own, note);
      expect(sumsOf(undo.pages)).toEqual(last);
    }),
    { numRuns: 200 },
  );
});

test('answers are the same from the store, and after a restart from a checkpoint', () => {
  const wallets = WALLETS.map(named);
  const kind = {
    create: (_: unknown, undo: UndoLog) => books(undo),
    apply: (own: ReturnType<typeof books>, notes: readonly Note[]) => {
      for (const note of notes) apply(own, note);
    },
    answers: ({ launches, trails, snipes, fees }: ReturnType<typeof books>) => ({
      trails: [wallets.map((wallet) => trails.has(wallet)), trails.coTradesOf(wallets, mint, 1)],
      snipes: wallets.map((wallet) => snipes.countOf(wallet, mint, 1)),
      creators: wallets.map((wallet) => launches.bundlesOf(wallet, named('m1'))),
      mints: MINTS.map(named).map((name) => [launches.launchOf(name), fees.of(name)]),
    }),
  };
  const anyStory = fc.array(fc.tuple(fc.array(anyNote, { maxLength: 6 }), fc.boolean()), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(anyStory, fc.nat({ max: 12 }), (story, restoredAt) => {
      const slots = story.map(([inputs, isUndone]) => ({
        slot: inputs,
        reverted: Number(isUndone),
      }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
    { numRuns: 100 },
  );
});

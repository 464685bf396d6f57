import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asUsdNano, type UsdNano } from '../../model/units.ts';
import { exclusionOf, type JudgedEpisode, returnOf } from './episode.ts';
import { SmartBook } from './smart-book.ts';
import { smartScore } from './smart-score.ts';

const DAY_MS = 86_400_000;
const START_MS = 1_735_689_600_000;
const wallet = named('wallet-a');

function dollars(value: number): UsdNano {
  return asUsdNano(BigInt(Math.round(value * 100)) * 10_000_000n);
}

function episode(given: Partial<JudgedEpisode> = {}): JudgedEpisode {
  return {
    wallet,
    mint: named('mint'),
    costUsd: dollars(1_000),
    proceedsUsd: dollars(1_800),
    markUsd: dollars(0),
    boughtRaw: 100n,
    transferredRaw: 0n,
    startMs: START_MS - 60_000,
    closedMs: START_MS,
    isForced: false,
    isLaunchSlotBuy: false,
    isCreator: false,
    isCopied: false,
    ...given,
  };
}

function bookWith(episodes: readonly JudgedEpisode[], undo = new UndoLog()): SmartBook {
  const book = new SmartBook(new AddressIds(undo), undo);
  for (const one of episodes) book.applyEpisode(one);
  return book;
}

describe('an episode', () => {
  test.each([
    ['of the creator', { isCreator: true }, 'creator'],
    ['of which more than a fifth came by transfer', { transferredRaw: 26n }, 'transferred'],
    ['of which a fifth came by transfer', { transferredRaw: 25n }, null],
    ['begun in the launch slot', { isLaunchSlotBuy: true }, 'launch_slot'],
    ['bought after a followed wallet', { isCopied: true }, 'copied'],
    ['of $19.99', { costUsd: dollars(19.99) }, 'small'],
    ['of $20', { costUsd: dollars(20) }, null],
  ])('%s: %o is left out as %s', (_what, given, reason) => {
    expect(exclusionOf(episode(given))).toBe(reason);
  });

  test('returns the logarithm of proceeds and remaining value over cost, within ± 3', () => {
    const half = { proceedsUsd: dollars(300), markUsd: dollars(200) };
    expect(returnOf(episode(half))).toBeCloseTo(Math.log(0.5), 12);
    expect(returnOf(episode({ proceedsUsd: dollars(0) }))).toBe(-3);
    expect(returnOf(episode({ proceedsUsd: dollars(1e6) }))).toBe(3);
  });
});

describe('a smart wallet', () => {
  const ten = Array.from({ length: 10 }, (_, index) =>
    episode({ closedMs: START_MS + index * 1_000, proceedsUsd: dollars(2_500) }),
  );

  test('needs more than nine episodes, however good', () => {
    const book = bookWith(ten.slice(0, 9));
    expect(book.verdict(wallet)?.score).toBeGreaterThan(50);
    expect(book.weightOf(wallet, START_MS)).toBe(null);
    expect(book.takeFlips()).toEqual([]);
  });

  test('has good episodes, and its weight is its score divided by 100', () => {
    const same = Array.from({ length: 11 }, () => episode({ proceedsUsd: dollars(2_500) }));
    const book = bookWith(same);
    // Beta(14, 7): mean 2/3, variance 98 / (441 · 22); return ln 2.5 each; profit $16,500.
    const bound = 2 / 3 - 1.2816 * Math.sqrt(98 / (441 * 22));
    const shrunk = (11 * Math.log(2.5)) / 21;
    const profit = (Math.log10(16_500) - 3) / 2;
    const score = 45 * ((bound - 0.3) / 0.4) + 35 * (shrunk / 0.5) + 20 * profit;
    expect(book.weightOf(wallet, START_MS)).toBeCloseTo(score / 100, 9);
    expect(book.takeFlips()).toEqual([wallet]);
    expect(book.smartCount).toBe(1);
  });

  test('is not a bot, and is smart again when it is no longer a bot', () => {
    const book = bookWith([...ten, ...ten]);
    book.setBot(wallet, true);
    expect(book.weightOf(wallet, START_MS + 10_000)).toBe(null);
    expect(book.takeFlips()).toEqual([]);
    book.setBot(wallet, false);
    expect(book.takeFlips()).toEqual([wallet]);
  });

  test('ceases to be smart 30 days after its last episode', () => {
    const book = bookWith([...ten, ...ten]);
    book.takeFlips();
    const lastMs = START_MS + 9_000;
    expect(book.weightOf(wallet, lastMs + 30 * DAY_MS)).not.toBe(null);
    expect(book.weightOf(wallet, lastMs + 30 * DAY_MS + 1)).toBe(null);
    book.expire(lastMs + 30 * DAY_MS);
    expect(book.takeFlips()).toEqual([]);
    book.expire(lastMs + 31 * DAY_MS);
    expect(book.takeFlips()).toEqual([wallet]);
  });

  test('is not judged by excluded episodes, which are counted', () => {
    const book = bookWith(ten.map((one) => ({ ...one, isCreator: true })));
    expect(book.verdict(wallet)).toMatchObject({ excluded: 10, isSmart: false, score: 0 });
  });

  test('has an episode of 30 days ago weighted by half', () => {
    const book = bookWith([episode(), episode({ closedMs: START_MS + 30 * DAY_MS })]);
    expect(book.verdict(wallet)?.sums.count).toBeCloseTo(1.5, 12);
    expect(book.verdict(wallet)?.sums.profitUsd).toBeCloseTo(1_200, 9);
  });
});

const anyEpisode = fc
  .record({
    wallet: fc.constantFrom('a', 'b', 'c'),
    cost: fc.integer({ min: 10, max: 5_000 }),
    factor: fc.double({ min: 0, max: 6, noNaN: true }),
    afterMs: fc.integer({ min: 0, max: 5 * DAY_MS }),
    isCreator: fc.boolean(),
  })
  .map(({ cost, factor, afterMs, ...rest }) => ({
    afterMs,
    given: {
      wallet: named(rest.wallet),
      isCreator: rest.isCreator && cost % 3 === 0,
      costUsd: dollars(cost),
      proceedsUsd: dollars(cost * factor),
    },
  }));

/** Episodes in order of time. */
const manyEpisodes = fc.array(anyEpisode, { maxLength: 80 }).map((list) => {
  let closedMs = START_MS;
  return list.map(({ afterMs, given }) => {
    closedMs += afterMs;
    return episode({ ...given, closedMs });
  });
});

describe('a stream of episodes', () => {
  test('gives the score of the whole list, weighted from its end', () => {
    fc.assert(
      fc.property(manyEpisodes, (episodes) => {
        const book = bookWith(episodes);
        for (const name of ['a', 'b', 'c'].map(named)) {
          const counted = episodes.filter(
            (one) => one.wallet === name && exclusionOf(one) === null,
          );
          const lastMs = counted.at(-1)?.closedMs ?? 0;
          const weightOf = ({ closedMs }: JudgedEpisode) =>
            2 ** (-(lastMs - closedMs) / (30 * DAY_MS));
          const sum = (value: (one: JudgedEpisode) => number) =>
            counted.reduce((total, one) => total + weightOf(one) * value(one), 0);
          const profit = (one: JudgedEpisode) => Number(one.proceedsUsd - one.costUsd) / 1e9;
          const expected = smartScore({
            count: sum(() => 1),
            wins: sum((one) => (returnOf(one) > Math.log(1.02) ? 1 : 0)),
            returns: sum(returnOf),
            profitUsd: sum(profit),
            topProfitUsd: Math.max(0, ...counted.map((one) => weightOf(one) * profit(one))),
          });
          expect(book.verdict(name)?.score ?? 0).toBeCloseTo(expected.score, 6);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('leaves no trace after undo', () => {
    fc.assert(
      fc.property(manyEpisodes, manyEpisodes, (kept, undone) => {
        const undo = new UndoLog(1);
        const book = bookWith(kept, undo);
        const before = sumsOf(undo.pages);
        const smartBefore = book.smartCount;
        undo.open();
        for (const one of undone) {
          book.applyEpisode(one);
          book.setBot(one.wallet, one.isCreator);
        }
        book.expire(START_MS + 900 * DAY_MS);
        undo.close();
        undo.undo();
        expect(sumsOf(undo.pages)).toEqual(before);
        expect(book.smartCount).toBe(smartBefore);
      }),
      { numRuns: 100 },
    );
  });
});

test('answers are the same from the store, and after a restart from a checkpoint', () => {
  const kind = {
    create: (_: unknown, undo: UndoLog) => bookWith([], undo),
    apply: (book: SmartBook, one: JudgedEpisode) => {
      // Many of equal success, so that wallets become smart.
      for (let count = 0; count < 4; count++) book.applyEpisode({ ...one, isCreator: false });
      book.setBot(one.wallet, one.isCreator);
      book.expire(one.closedMs);
      return book.takeFlips();
    },
    answers: (book: SmartBook) => [
      ...[book.size, book.smartCount],
      ...['a', 'b', 'c'].map((name) => [
        book.verdict(named(name)),
        book.weightOf(named(name), START_MS + 30 * DAY_MS),
      ]),
    ],
  };
  fc.assert(
    fc.property(manyEpisodes, fc.nat({ max: 20 }), fc.nat(), (episodes, restoredAt, undone) => {
      const slots = episodes.map((one, index) => ({
        slot: one,
        reverted: Number(((undone >> (index % 31)) & 1) === 1),
      }));
      expectAsInMemory(kind, slots, restoredAt);
    }),
    { numRuns: 50 },
  );
});

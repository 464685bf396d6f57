import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAsInMemory } from '../../../tests/support/book-outside-memory.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { NaiveSkill } from '../../../tests/support/naive-skill.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asUsdNano, type UsdNano } from '../../model/units.ts';
import { exclusionOf, type JudgedEpisode, returnOf } from './episode.ts';
import { SmartBook } from './smart-book.ts';

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
    entryCell: 9,
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
  for (const one of episodes) book.applyEpisodes([one]);
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
  /** Ten of 1.5 times the cost, each a second after the other. */
  const ten = Array.from({ length: 10 }, (_, index) =>
    episode({ closedMs: START_MS + index * 1_000, proceedsUsd: dollars(2_500) }),
  );
  /** Of a hundred others, who lost half. */
  const others = Array.from({ length: 100 }, (_, index) =>
    episode({ wallet: named(`other-${index}`), proceedsUsd: dollars(500) }),
  );

  test('needs more than nine episodes, however good', () => {
    const book = bookWith([...others, ...ten.slice(0, 9)]);
    expect(book.verdict(wallet)?.score).toBeGreaterThan(90);
    expect(book.weightOf(wallet, START_MS)).toBe(null);
    expect(book.takeFlips()).toEqual([]);
  });

  test('has returns beyond those of others, and its weight is its score divided by 100', () => {
    const same = Array.from({ length: 10 }, () => episode({ proceedsUsd: dollars(2_500) }));
    const book = new SmartBook(new AddressIds());
    book.applyEpisodes(others);
    book.applyEpisodes(same);
    // All and the cell: 100 of ln ½ with 20 of the prior. The hour has one mint.
    const all = (100 * Math.log(0.5)) / 120;
    const ofCell = (100 * Math.log(0.5) + 20 * all) / 120;
    const mints = 64 * Math.log(64 / 63);
    // The others expected nothing.
    const ofHour = (Math.log(0.5) * mints) / (mints + 20);
    const excess = Math.log(2.5) - ofCell - ofHour;
    const bound = (count: number) => {
      const mean = (count * excess) / (count + 10);
      const squares = 10 + count * excess ** 2 - count * excess * mean;
      return mean - 1.2816 * Math.sqrt(squares / (count + 10) ** 2);
    };
    // $15,000 won, nothing lost; five times $1,500 on both sides.
    const merit = bound(10) / 4 + bound(9) / 4 + Math.log(22_500 / 7_500) / 2;
    // Alone among wallets of 10 to 20 episodes: it stands within its own bin.
    const place = (merit + 2) * 64;
    const below = place - Math.floor(place) + 20 / (1 + Math.exp(-10 * merit));
    expect(book.verdict(wallet)?.merit).toBeCloseTo(merit, 9);
    expect(book.weightOf(wallet, START_MS)).toBeCloseTo(below / 21, 9);
    expect(book.takeFlips()).toEqual([wallet]);
    expect(book.smartCount).toBe(1);
  });

  test('is not smart with the returns that everybody else has', () => {
    const rising = others.map((one) => ({ ...one, proceedsUsd: dollars(2_500) }));
    // As many episodes as make them its peers.
    const peers = Array.from({ length: 19 }, () => rising).flat();
    const book = bookWith([...peers, ...ten, ...ten.slice(0, 2)]);
    expect(book.verdict(wallet)?.skillBound).toBeLessThan(0);
    expect(book.verdict(wallet)?.peers).toBeGreaterThan(100);
    expect(book.weightOf(wallet, START_MS)).toBe(null);
  });

  test('ceases to be smart when its losses exceed its gains', () => {
    const bad = Array.from({ length: 60 }, (_, index) =>
      episode({ closedMs: START_MS + 20_000 + index, proceedsUsd: dollars(200) }),
    );
    const book = bookWith([...others, ...ten, ...ten]);
    expect(book.takeFlips()).toEqual([wallet]);
    for (const one of bad) book.applyEpisodes([one]);
    expect(book.takeFlips()).toEqual([wallet]);
    expect(book.weightOf(wallet, START_MS + 21_000)).toBe(null);
  });

  test('is not a bot, and is smart again when it is no longer a bot', () => {
    const book = bookWith([...ten, ...ten]);
    book.setBot(wallet, true);
    expect(book.weightOf(wallet, START_MS + 10_000)).toBe(null);
    expect(book.takeFlips()).toEqual([]);
    book.setBot(wallet, false);
    expect(book.takeFlips()).toEqual([wallet]);
  });

  test('is compared with no bots, before or after they are found', () => {
    const book = bookWith([...others.slice(0, 3), episode()]);
    expect(book.verdict(wallet)?.peers).toBe(4);
    book.setBot(named('other-0'), true);
    book.applyEpisodes([episode({ wallet: named('other-0'), closedMs: START_MS + 1 })]);
    book.applyEpisodes([episode({ wallet: named('other-4'), closedMs: START_MS + 1 })]);
    // Itself, wallet-a, other-1 and other-2.
    expect(book.verdict(named('other-4'))?.peers).toBe(4);
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
    expect(book.verdict(wallet)?.sums.gainsUsd).toBeCloseTo(1_200, 9);
  });
});

const anyEpisode = fc
  .record({
    wallet: fc.constantFrom('a', 'b', 'c'),
    cost: fc.integer({ min: 10, max: 5_000 }),
    factor: fc.double({ min: 0, max: 6, noNaN: true }),
    afterMs: fc.integer({ min: 0, max: 5 * DAY_MS }),
    entryCell: fc.constantFrom(0, 9),
    mint: fc.constantFrom('one', 'two', 'three'),
    isCreator: fc.boolean(),
  })
  .map(({ cost, factor, afterMs, ...rest }) => ({
    afterMs,
    given: {
      wallet: named(rest.wallet),
      mint: named(rest.mint),
      entryCell: rest.entryCell,
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
    return episode({ ...given, startMs: closedMs - 60_000, closedMs });
  });
});

/** Slots of one to three episodes. */
function chunksOf(episodes: readonly JudgedEpisode[]): JudgedEpisode[][] {
  const slots: JudgedEpisode[][] = [];
  for (let at = 0; at < episodes.length; ) {
    const size = 1 + (slots.length % 3);
    slots.push(episodes.slice(at, at + size));
    at += size;
  }
  return slots;
}

describe('a stream of episodes', () => {
  test('gives the scores that the lists of all episodes give', () => {
    fc.assert(
      fc.property(manyEpisodes, fc.nat(), (episodes, bots) => {
        const book = bookWith([]);
        const naive = new NaiveSkill();
        for (const [at, slot] of chunksOf(episodes).entries()) {
          book.applyEpisodes(slot);
          naive.addSlot(
            slot.map((one) => ({
              ...one,
              backUsd: one.proceedsUsd,
              isCounted: exclusionOf(one) === null,
            })),
          );
          const [{ wallet: of } = { wallet }] = slot;
          const isBot = ((bots >> (at % 31)) & 1) === 1;
          book.setBot(of, isBot);
          naive.setBot(of, isBot);
        }
        for (const name of ['a', 'b', 'c'].map(named)) {
          expect(book.verdict(name)?.score ?? 0).toBeCloseTo(naive.score(name), 6);
          expect(book.verdict(name)?.isSmart ?? false).toBe(naive.isSmart(name));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('gives the same scores for any order of a slot', () => {
    fc.assert(
      fc.property(manyEpisodes, (episodes) => {
        const closedMs = START_MS;
        const slot = episodes.map((one) => ({ ...one, closedMs }));
        const [one, other] = [bookWith([]), bookWith([])];
        one.applyEpisodes(slot);
        other.applyEpisodes(slot.toReversed());
        for (const name of ['a', 'b', 'c'].map(named)) {
          const score = one.verdict(name)?.score ?? 0;
          expect(other.verdict(name)?.score ?? 0).toBeCloseTo(score, 6);
        }
      }),
      { numRuns: 50 },
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
          book.applyEpisodes([one]);
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
      for (let count = 0; count < 4; count++) book.applyEpisodes([{ ...one, isCreator: false }]);
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

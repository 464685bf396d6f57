import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../tests/support/book-trial.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  aDepth,
  aSignal,
  nano,
  priceOf,
  SCENE_MINT,
  SCENE_START_MS,
} from '../../tests/support/signal-scene.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { Outcome } from '../model/signal.ts';
import { asPriceE18, asSlot, type PriceE18 } from '../model/units.ts';
import {
  advancePosition,
  executionOf,
  isClosed,
  notePosition,
  openPosition,
} from './execution/position.ts';
import { OutcomeBook, type PriceTick } from './outcomes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function aTick(slot: number, priceUsd: PriceE18, timeMs = SCENE_START_MS + slot * 400): PriceTick {
  return {
    mint: SCENE_MINT,
    slot: asSlot(slot),
    timeMs,
    priceUsd,
    lastSwapMs: timeMs,
    depth: null,
  };
}

/** The outcome of a signal at 1, with prices from the second slot after it on. */
function outcomeOf(prices: readonly number[]): Outcome | null {
  const book = new OutcomeBook(new UndoLog());
  book.follow(aSignal(), null);
  for (const [at, price] of prices.entries()) book.note(aTick(1_002 + at, priceOf(price)));
  return book.outcome(SCENE_MINT, 1);
}

// METHODS §6.2, with prices in hundredths: the supply is a hundred tokens.
test('the worked example: the fall before the last high counts, the one after it does not', () => {
  expect(outcomeOf([0.9, 1.2, 0.6, 1.5, 0.4])).toMatchObject({
    athMarketCapUsd: nano(150),
    roiE9: 50_000_000_000n,
    maxDrawdownMarketCapUsd: nano(60),
    maxDrawdownE9: 40_000_000_000n,
    // From 1.2 to 0.6.
    peakDrawdownE9: 50_000_000_000n,
  });
});

test('the worked example of a price that never recovers: the return is negative', () => {
  expect(outcomeOf([0.8, 0.5])).toMatchObject({
    athMarketCapUsd: nano(80),
    roiE9: -20_000_000_000n,
    maxDrawdownMarketCapUsd: nano(80),
    maxDrawdownE9: 20_000_000_000n,
  });
});

test("before any price an outcome is that of the signal's own price", () => {
  expect(outcomeOf([])).toMatchObject({ athMarketCapUsd: nano(100), roiE9: 0n, maxDrawdownE9: 0n });
});

test('a price in the next slot is too early to trade at', () => {
  const book = new OutcomeBook(new UndoLog());
  book.follow(aSignal(), null);
  expect(book.note(aTick(1_001, priceOf(9)))).toEqual([]);
  expect(book.note(aTick(1_002, priceOf(2)))).toMatchObject([{ roiE9: 100_000_000_000n }]);
});

test('prices are exact beyond the precision of a double', () => {
  const book = new OutcomeBook(new UndoLog());
  const price = asPriceE18(3_000_000_000_000_000_000_001n);
  book.follow(aSignal({ priceUsd: price }), null);
  const [outcome] = book.note(aTick(1_002, asPriceE18(price + 1n)));
  expect(outcome?.highPriceUsd).toBe(price + 1n);
});

describe('an outcome is final', () => {
  test('after thirty days, without the price of that moment', () => {
    const book = new OutcomeBook(new UndoLog());
    book.follow(aSignal(), null);
    for (let day = 1; day < 30; day++) {
      expect(
        book.note(aTick(1_002 + day, priceOf(1), SCENE_START_MS + day * DAY_MS))[0]?.isFinal ??
          false,
      ).toBe(false);
    }
    const end = aTick(2_000, priceOf(5), SCENE_START_MS + 30 * DAY_MS);
    expect(book.note(end)).toMatchObject([{ isFinal: true, roiE9: 0n }]);
    expect(book.size).toBe(0);
  });

  test('after 72 hours without a trade, whichever call comes first', () => {
    const book = new OutcomeBook(new UndoLog());
    book.follow(aSignal(), null);
    const last = SCENE_START_MS + HOUR_MS;
    book.note(aTick(1_002, priceOf(2), last));
    expect(book.endMinute(asSlot(1_500), last + 72 * HOUR_MS - 1)).toEqual([]);
    expect(book.note(aTick(2_000, priceOf(5), last + 72 * HOUR_MS))).toMatchObject([
      { isFinal: true, roiE9: 100_000_000_000n },
    ]);
    const other = new OutcomeBook(new UndoLog());
    other.follow(aSignal(), null);
    other.note(aTick(1_002, priceOf(2), last));
    expect(other.endMinute(asSlot(2_000), last + 73 * HOUR_MS)).toMatchObject([
      { isFinal: true, roiE9: 100_000_000_000n },
    ]);
  });

  test('for the control after 25 hours: all its figures are known', () => {
    const book = new OutcomeBook(new UndoLog());
    book.follow(aSignal({ model: 'random_minute' }), aDepth(SCENE_START_MS));
    const lastMs = SCENE_START_MS + 25 * HOUR_MS;
    const [outcome] = book.endMinute(asSlot(2_000), lastMs);
    expect(outcome?.isFinal).toBe(true);
    expect(outcome?.execution.returns.hold_24h).not.toBeNull();
    expect(book.size).toBe(0);
  });
});

const anyTicks = fc.array(
  fc.record({
    skipped: fc.integer({ min: 1, max: 900_000 }),
    price: fc.bigInt({ min: 1n, max: 40n }),
  }),
  { maxLength: 30 },
);

/** The slots of a story, from 1,001 on, for a signal with a price of `entry`. */
function ticksOf(
  steps: readonly { readonly skipped: number; readonly price: bigint }[],
  entry: bigint,
): PriceTick[] {
  let slot = 1_000;
  return steps.map(({ skipped, price }) => {
    slot += skipped;
    const timeMs = SCENE_START_MS + (slot - 1_000) * 400;
    const depth = aDepth(timeMs, { priceUsd: Number(price) / Number(entry) });
    return { ...aTick(slot, asPriceE18(price), timeMs), depth };
  });
}

test('any series gives the same as a full recomputation', () => {
  fc.assert(
    fc.property(anyTicks, fc.bigInt({ min: 1n, max: 40n }), (steps, entry) => {
      const book = new OutcomeBook(new UndoLog());
      const signal = aSignal({ priceUsd: asPriceE18(entry) });
      let outcome = book.follow(signal, aDepth(SCENE_START_MS));
      const seen: { price: bigint; timeMs: number }[] = [];
      for (const tick of ticksOf(steps, entry)) {
        const { slot, timeMs, priceUsd } = tick;
        const changed = [...book.endMinute(slot, timeMs), ...book.note(tick)];
        outcome = changed.at(-1) ?? outcome;
        if (slot >= 1_002) seen.push({ price: priceUsd, timeMs });
      }
      expect(outcome).toMatchObject(naiveOutcome(entry, seen));
    }),
  );
});

test('slots can be undone, stored and restored', () => {
  const mints = ['one', 'two'].map((name) => address(name));
  const anySlot = fc.record({
    skipped: fc.constantFrom(1, 20, 20, 150, 150, 800, 9_000, 200_000, 700_000),
    price: fc.bigInt({ min: 1n, max: 40n }),
    mint: fc.constantFrom(...mints, ...mints.slice(0, 1)),
    isFollowed: fc.boolean(),
    hasDepth: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anySlot, { maxLength: 20 }), fc.nat(19), (steps, stored) => {
      const slots = ticksOf(steps, 10n).map((tick, index) => ({ tick, index, ...steps[index] }));
      expectStored<OutcomeBook, (typeof slots)[number]>(
        {
          create: (undo) => new OutcomeBook(undo),
          apply(book, { tick, index, mint = SCENE_MINT, isFollowed, hasDepth = false }) {
            const { slot, timeMs, priceUsd } = tick;
            const depth = hasDepth ? tick.depth : null;
            const changed = [
              ...book.endMinute(slot, timeMs),
              ...book.note({ ...tick, mint, depth }),
            ];
            if (isFollowed) {
              const model = index % 3 === 0 ? 'random_minute' : 'organic_momentum';
              const signal = { rowId: index + 1, model, mint, slot, createdAtMs: timeMs } as const;
              changed.push(book.follow(aSignal({ ...signal, priceUsd }), depth));
            }
            return changed;
          },
          answers: (book) => [
            book.size,
            mints.map((mint) => book.isFollowing(mint)),
            slots.map(({ index, mint = SCENE_MINT }) => book.outcome(mint, index + 1)),
          ],
        },
        slots,
        stored,
      );
    }),
  );
});

test('a position gives the same outcome as one that is advanced at every minute', () => {
  const anySteps = fc.array(
    fc.record({
      skipped: fc.constantFrom(20, 20, 150, 150, 800, 9_000, 70_000),
      price: fc.bigInt({ min: 5n, max: 20n }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(anySteps, (steps) => {
      const undo = new UndoLog();
      const book = new OutcomeBook(undo);
      const position = openPosition(SCENE_START_MS, aDepth(SCENE_START_MS));
      let published = book.follow(aSignal(), position.depth);
      for (const tick of ticksOf(steps, 10n)) {
        published = book.endMinute(tick.slot, tick.timeMs).at(-1) ?? published;
        advancePosition(position, tick.timeMs, undo);
        expect(published.execution).toEqual(executionOf(position));
        published = book.note(tick).at(-1) ?? published;
        const isOpen = !isClosed(position, tick.timeMs);
        if (isOpen && tick.depth !== null) notePosition(position, tick.depth, undo);
        expect(published.execution).toEqual(executionOf(position));
      }
    }),
  );
});

/** Computes each figure from the whole series. */
function naiveOutcome(entry: bigint, seen: readonly { price: bigint; timeMs: number }[]) {
  const counted: bigint[] = [];
  let lastMs = SCENE_START_MS;
  for (const { price, timeMs } of seen) {
    if (timeMs - SCENE_START_MS >= 30 * DAY_MS || timeMs - lastMs >= 72 * HOUR_MS) break;
    counted.push(price);
    lastMs = timeMs;
  }
  const high = counted.toSorted(byAmount).at(-1) ?? entry;
  const until = counted.slice(0, counted.indexOf(high) + 1);
  const low = until.toSorted(byAmount)[0] ?? entry;
  const path = [entry, ...until];
  const falls = path.flatMap((from, at) =>
    path.slice(at).map((to) => 1 - Number(to) / Number(from)),
  );
  const percentE9 = (part: bigint) => Math.round((Number(part) / Number(entry)) * 1e11);
  const near = (wanted: number): unknown => ({
    asymmetricMatch: (value: unknown) => Math.abs(Number(value) - wanted) <= 1,
  });
  return {
    highPriceUsd: high,
    lowPriceUsd: low,
    roiE9: near(percentE9(high - entry)),
    maxDrawdownE9: near(Math.max(0, percentE9(entry - low))),
    peakDrawdownE9: near(Math.round(Math.max(0, ...falls) * 1e11)),
  };
}

function byAmount(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

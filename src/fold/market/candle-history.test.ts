import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pricedTrade, SOL } from '../../../tests/support/build-trades.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  CandleFold,
  MINT,
  OTHER_POOL,
  POOL,
  SUPPLY,
  tradeAt,
} from '../../../tests/support/candle-fold.ts';
import { BASE_CANDLE_MS, type Candle, type PricedSwap } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import { candlesOfSwaps } from './swap-candles.ts';

const step = fc.record({
  gapSlots: fc.constantFrom(0, 0, 1, 1, 2, 30),
  slotMs: fc.constantFrom(0, 400, 1_000, 3_000, 30_000),
  trader: fc.constantFrom('a', 'b', 'c'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  tokens: fc.constantFrom(99n, 100n, 100n),
  price: fc.constantFrom(1, 1.01, 1.4, 2),
  pool: fc.constantFrom(POOL, POOL, OTHER_POOL),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The slots of a history, with times in whole steps after the previous slot. */
function slotsOf(steps: readonly Step[]): { slot: number; timeMs: number; swaps: PricedSwap[] }[] {
  const slots = [{ slot: 10, timeMs: 0, swaps: [] as PricedSwap[] }];
  let last = slots[0] as (typeof slots)[number];
  for (const { gapSlots, slotMs, price, ...draft } of steps) {
    if (gapSlots > 0) {
      last = { slot: last.slot + gapSlots, timeMs: last.timeMs + slotMs, swaps: [] };
      slots.push(last);
    }
    last.swaps.push(tradeAt(last.slot, last.timeMs, price, draft));
  }
  return slots;
}

function run(slots: ReturnType<typeof slotsOf>): CandleFold {
  const fold = new CandleFold();
  for (const { slot, timeMs, swaps } of slots) fold.slot(slot, timeMs, swaps);
  const { slot, timeMs } = slots.at(-1) ?? { slot: 0, timeMs: 0 };
  fold.slot(slot + 100, timeMs + 60_000);
  return fold;
}

describe('candles of any history', () => {
  const histories = fc.array(step, { maxLength: 150 }).map(slotsOf);

  test('ends in the candles of its finally labelled trades', () => {
    fc.assert(
      fc.property(histories, (slots) => {
        const fold = run(slots);
        const swaps = fold.trades.map(({ priced }) => priced);
        for (const scope of [POOL, OTHER_POOL, MINT]) {
          const own = swaps.filter(({ swap }) => scope === MINT || swap.pool === scope);
          const expected = candlesOfSwaps(own, {
            scope,
            intervalMs: BASE_CANDLE_MS,
            supplyRaw: SUPPLY,
            settledUntilMs: Number.POSITIVE_INFINITY,
          });
          expect(fold.of(scope).map(withoutSlot)).toEqual(expected.map(withoutSlot));
        }
        expect(fold.book.size).toBe(0);
        expect(fold.trades.every(({ isSettled }) => isSettled)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('is shown after each slot with prices or the last close before, as a read of its candles', () => {
    fc.assert(
      fc.property(histories, (slots) => {
        const fold = new CandleFold();
        for (const { slot, timeMs, swaps } of slots) {
          fold.slot(slot, timeMs, swaps);
          for (const scope of [POOL, OTHER_POOL, MINT]) expectShown(fold, scope);
        }
      }),
    );
  });

  test('has the same opens, highs, lows and closes with additional dust', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(200), { maxLength: 40 }), (slots, positions) => {
        const dusty = slots.map((each) => ({ ...each, swaps: [...each.swaps] }));
        for (const position of positions) {
          const { slot, timeMs, swaps } = dusty[position % dusty.length] as (typeof dusty)[number];
          const trader = address(position % 2 === 0 ? 'a' : 'b');
          const draft = { slot, timeMs, trader, side: 'buy' as const, baseRaw: 900n };
          swaps.splice(position % (swaps.length + 1), 0, pricedTrade({ ...draft, quoteRaw: SOL }));
        }
        const ranges = (fold: CandleFold) =>
          fold
            .of(POOL)
            .filter(({ quote }) => quote !== null)
            .map(({ openTimeMs, quote, usd }) => ({ openTimeMs, quote, usd }));
        expect(ranges(run(dusty))).toEqual(ranges(run(slots)));
      }),
    );
  });

  test('holds at most five candles per scope', () => {
    fc.assert(
      fc.property(histories, (slots) => {
        const fold = new CandleFold();
        for (const { slot, timeMs, swaps } of slots) {
          fold.slot(slot, timeMs, swaps);
          expect(fold.book.size).toBeLessThanOrEqual(5 * 3);
        }
      }),
    );
  });
});

/** Shown candles are those of a read, and the open ones among them are found so. */
function expectShown(fold: CandleFold, scope: Address): void {
  const expected = flatAtLastClose(fold.of(scope));
  expect(fold.shownOf(scope).map(pricesOf)).toEqual(expected.map(pricesOf));
  const open = fold.of(scope).filter((one) => fold.book.find(scope, one.openTimeMs) !== null);
  for (const { openTimeMs } of open) {
    const ofRead = expected.find((each) => each.openTimeMs === openTimeMs) ?? null;
    expect(fold.book.findShown(scope, openTimeMs)).toEqual(ofRead);
  }
}

/** Candles with prices: those without have the last close before them, and are omitted before any. */
function flatAtLastClose(candles: readonly Candle[]): Candle[] {
  return candles.flatMap((candle, index) => {
    if (candle.usd !== null) return [candle];
    const before = candles.slice(0, index).findLast(({ usd }) => usd !== null);
    if (before?.usd == null) return [];
    const { close } = before.usd;
    return [{ ...candle, usd: { open: close, high: close, low: close, close } }];
  });
}

function pricesOf({ openTimeMs, usd, trades }: Candle) {
  return { openTimeMs, usd, trades };
}

function withoutSlot({ slot: _, ...candle }: Candle) {
  return candle;
}

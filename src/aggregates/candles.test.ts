import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { e18, pricedTrade, SOL, TOKEN } from '../../tests/support/build-trades.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { BASE_CANDLE_MS, type Candle, type PricedSwap } from '../model/derived.ts';
import type { RawAmount, Slot } from '../model/units.ts';
import { mergeCandles } from './candle-merge.ts';
import { CandleBook } from './candles.ts';
import { RobustPriceBook } from './robust-price.ts';
import type { SettlingTrade } from './settling-trade.ts';
import { candlesOfSwaps } from './swap-candles.ts';

const POOL = address('pool-t');
const OTHER = address('other');
const MINT = address('token-t');
const SUPPLY = 1_000n as RawAmount;

/** Both books as the engine drives them, and the last state of every candle. */
class Fold {
  readonly prices = new RobustPriceBook();
  readonly book = new CandleBook();
  readonly candles = new Map<string, Candle>();
  readonly trades: SettlingTrade[] = [];

  slot(slot: number, timeMs: number, swaps: readonly PricedSwap[] = [], primary = POOL): Candle[] {
    for (const priced of swaps) {
      const trade = this.prices.applySwap(priced);
      this.book.add(trade, { isPrimary: priced.swap.pool === primary, supplyRaw: SUPPLY });
      this.trades.push(trade);
    }
    const settlement = this.prices.closeSlot(slot as Slot, timeMs);
    const changed = this.book.closeSlot(slot as Slot, timeMs, settlement);
    for (const candle of changed) {
      const key = `${candle.scope} ${candle.openTimeMs}`;
      if (this.candles.get(key)?.isFinal) throw new Error(`${key} changed after it was final`);
      this.candles.set(key, candle);
    }
    return changed;
  }

  of(scope: string): Candle[] {
    return [...this.candles.values()].filter((candle) => candle.scope === scope);
  }
}

interface Draft {
  readonly trader?: string;
  readonly side?: 'buy' | 'sell';
  readonly tokens?: bigint;
  readonly pool?: string;
}

let names = 0;

/** A trade at `price` SOL per token, of 100 tokens unless told otherwise. */
function at(slot: number, timeMs: number, price: number, draft: Draft = {}): PricedSwap {
  const { trader = `t${names++}`, side = 'buy', tokens = 100n, pool = POOL } = draft;
  const quoteRaw = (BigInt(Math.round(price * 1e6)) * tokens * SOL) / 1_000_000n;
  const rest = { pool: pool as typeof POOL };
  return pricedTrade({ slot, timeMs, trader, side, baseRaw: tokens * TOKEN, quoteRaw, rest });
}

function range(open: number, high: number, low: number, close: number) {
  return { open: e18(open), high: e18(high), low: e18(low), close: e18(close) };
}

describe('candles in the fold', () => {
  test('of fixture F1 merge to its first minute', () => {
    const fold = new Fold();
    const trades = [
      [10, 'A', 'buy', 1_000_000n, 1e-6],
      [20, 'B', 'buy', 1_000_000n, 1.5e-6],
      [30, 'A', 'sell', 500_000n, 2e-6],
      [70, 'C', 'buy', 500_000n, 2e-6],
      [110, 'B', 'sell', 1_000_000n, 1e-6],
    ] as const;
    for (const [second, trader, side, tokens, price] of trades) {
      const timeMs = second * 1_000;
      const quoteRaw = BigInt(Math.round(price * 1e9)) * tokens;
      const swap = pricedTrade({
        slot: second,
        timeMs,
        trader,
        side,
        baseRaw: tokens * TOKEN,
        quoteRaw,
      });
      fold.slot(second, timeMs, [swap]);
    }
    fold.slot(130, 130_000);
    for (const scope of [POOL, MINT]) {
      expect(mergeCandles(fold.of(scope), 60_000)[0]).toMatchObject({
        openTimeMs: 0,
        usd: range(0.0002, 0.0004, 0.0002, 0.0004),
        volumeUsd: 700_000_000_000n,
        trades: 3,
        buys: 2,
        sells: 1,
        supplyRaw: SUPPLY,
        isFinal: true,
      });
    }
  });

  test('give each scope one candle a slot, pool before mint, in order of trade', () => {
    const fold = new Fold();
    const changed = fold.slot(10, 0, [
      at(10, 0, 1),
      at(10, 0, 1.1, { pool: OTHER }),
      at(10, 0, 1.2),
    ]);
    expect(changed.map(({ scope }) => scope)).toEqual([POOL, MINT, OTHER]);
    expect(changed.map(({ quote }) => quote)).toEqual([
      range(1, 1.2, 1, 1.2),
      null,
      range(1.1, 1.1, 1.1, 1.1),
    ]);
    // The mint: all volume, (1 + 1.1 + 1.2) * 100 SOL, but no price of the pool beside.
    expect(changed[1]).toMatchObject({ usd: range(200, 240, 200, 240), trades: 3 });
    expect(changed[1]?.volumeUsd).toBe(66_000n * 1_000_000_000n);
  });

  test('take a sandwich back out when its back leg shows it', () => {
    const fold = new Fold();
    const [before] = fold.slot(10, 0, [
      at(10, 0, 1, { trader: 'x' }),
      at(10, 0, 1.35, { trader: 'v', tokens: 10n }),
    ]);
    expect(before?.quote).toEqual(range(1, 1.35, 1, 1.35));
    const [after] = fold.slot(11, 400, [at(11, 400, 1.05, { trader: 'x', side: 'sell' })]);
    expect(after?.quote).toEqual(range(1.35, 1.35, 1.35, 1.35));
    expect(after).toMatchObject({ trades: 3, buys: 2, sells: 1, slot: 11 });
  });

  test('say so when a label changes a candle whose time is over', () => {
    const fold = new Fold();
    fold.slot(10, 29_000, [at(10, 29_000, 1)]);
    fold.slot(11, 29_400, [at(11, 29_400, 2)]);
    const changed = fold.slot(12, 30_000, [at(12, 30_000, 1)]);
    const earlier = changed.filter(({ scope, openTimeMs }) => scope === POOL && openTimeMs === 0);
    expect(earlier).toMatchObject([
      { quote: range(1, 1, 1, 1), isFinal: false, slot: 12, trades: 2 },
    ]);
  });

  test('take a label back after older trades of the same candle are settled', () => {
    const fold = new Fold();
    fold.slot(10, 0, [at(10, 0, 1)]);
    fold.slot(40, 9_900, [at(40, 9_900, 1.2, { trader: 'x' }), at(40, 9_900, 1.21)]);
    fold.slot(41, 10_000);
    expect(fold.trades.map(({ isSettled }) => isSettled)).toEqual([true, false, false]);
    fold.slot(42, 10_400, [at(42, 10_400, 1.22, { trader: 'x', side: 'sell' })]);
    expect(fold.of(POOL)[0]?.quote).toEqual(range(1, 1.21, 1, 1.21));
  });

  test('keep the order of trades when a busier pool of the mint settles first', () => {
    const fold = new Fold();
    const other = { pool: OTHER };
    fold.slot(10, 0, [at(10, 0, 1, { trader: 'x', ...other }), at(10, 0, 0.9, other)], OTHER);
    const busy = Array.from({ length: 70 }, () => at(11, 400, 1.1));
    fold.slot(11, 400, busy);
    expect(fold.of(MINT)[0]?.usd).toEqual(range(200, 220, 180, 220));
    fold.slot(12, 800, [at(12, 800, 1.01, { trader: 'x', side: 'sell', ...other })]);
    expect(fold.trades.filter(({ isSettled }) => isSettled)).toHaveLength(6);
    expect(fold.of(MINT)[0]?.usd).toEqual(range(180, 220, 180, 220));
    fold.slot(100, 40_000);
    expect(fold.of(MINT)[0]).toMatchObject({ usd: range(180, 220, 180, 220), isFinal: true });
  });

  test('are final once their time is over and their trades are settled', () => {
    const fold = new Fold();
    fold.slot(10, 1_000, [at(10, 1_000, 1)]);
    expect(fold.slot(90, 29_999)).toEqual([]);
    const early = fold.slot(91, 30_000);
    expect(early.map(({ scope, isFinal, slot }) => [scope, isFinal, slot])).toEqual([
      [POOL, true, 91],
      [MINT, true, 91],
    ]);

    fold.slot(100, 59_000, [at(100, 59_000, 1)]);
    expect(fold.slot(110, 68_999)).toEqual([]);
    expect(fold.slot(111, 69_000).map(({ isFinal }) => isFinal)).toEqual([true, true]);
    expect(fold.book.size).toBe(0);
  });

  test('without a trade that may set a price have volume and no price', () => {
    const fold = new Fold();
    const dust = { ...at(10, 0, 1), exclusion: 'dust' } as const;
    const [candle] = fold.slot(10, 0, [dust]);
    expect(candle).toMatchObject({ quote: null, usd: null, trades: 1 });
    expect(candle?.volumeUsd).toBe(20_000_000_000_000n);
    expect(fold.slot(11, 30_000).map(({ isFinal }) => isFinal)).toEqual([true, true]);
  });

  test('leave quarantined swaps out', () => {
    const fold = new Fold();
    expect(fold.slot(10, 0, [{ ...at(10, 0, 1), exclusion: 'quarantined' }])).toEqual([]);
    expect(fold.book.size).toBe(0);
  });
});

const step = fc.record({
  gapSlots: fc.constantFrom(0, 0, 1, 1, 2, 30),
  slotMs: fc.constantFrom(0, 400, 1_000, 3_000, 30_000),
  trader: fc.constantFrom('a', 'b', 'c'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  tokens: fc.constantFrom(99n, 100n, 100n),
  price: fc.constantFrom(1, 1.01, 1.4, 2),
  pool: fc.constantFrom(POOL, POOL, OTHER),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The slots of a history: time in whole steps from the slot before. */
function slotsOf(steps: readonly Step[]): { slot: number; timeMs: number; swaps: PricedSwap[] }[] {
  const slots = [{ slot: 10, timeMs: 0, swaps: [] as PricedSwap[] }];
  let last = slots[0] as (typeof slots)[number];
  for (const { gapSlots, slotMs, price, ...draft } of steps) {
    if (gapSlots > 0) {
      last = { slot: last.slot + gapSlots, timeMs: last.timeMs + slotMs, swaps: [] };
      slots.push(last);
    }
    last.swaps.push(at(last.slot, last.timeMs, price, draft));
  }
  return slots;
}

function run(slots: ReturnType<typeof slotsOf>): Fold {
  const fold = new Fold();
  for (const { slot, timeMs, swaps } of slots) fold.slot(slot, timeMs, swaps);
  const { slot, timeMs } = slots.at(-1) ?? { slot: 0, timeMs: 0 };
  fold.slot(slot + 100, timeMs + 60_000);
  return fold;
}

describe('any history', () => {
  const histories = fc.array(step, { maxLength: 150 }).map(slotsOf);

  test('ends in the candles that its finally labelled trades make', () => {
    fc.assert(
      fc.property(histories, (slots) => {
        const fold = run(slots);
        const swaps = fold.trades.map(({ priced }) => priced);
        for (const scope of [POOL, OTHER, MINT]) {
          const own = swaps.filter(({ swap }) => scope === MINT || swap.pool === scope);
          const expected = candlesOfSwaps(own, {
            scope,
            intervalMs: BASE_CANDLE_MS,
            pricePool: scope === MINT ? POOL : scope,
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

  test('has the same opens, highs, lows and closes with dust in it', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(200), { maxLength: 40 }), (slots, places) => {
        const dusty = slots.map((each) => ({ ...each, swaps: [...each.swaps] }));
        for (const place of places) {
          const { slot, timeMs, swaps } = dusty[place % dusty.length] as (typeof dusty)[number];
          const trader = address(place % 2 === 0 ? 'a' : 'b');
          const draft = { slot, timeMs, trader, side: 'buy' as const, baseRaw: 900n };
          swaps.splice(place % (swaps.length + 1), 0, pricedTrade({ ...draft, quoteRaw: SOL }));
        }
        const ranges = (fold: Fold) =>
          fold
            .of(POOL)
            .filter(({ quote }) => quote !== null)
            .map(({ openTimeMs, quote, usd }) => ({ openTimeMs, quote, usd }));
        expect(ranges(run(dusty))).toEqual(ranges(run(slots)));
      }),
    );
  });

  test('holds at most five candles a scope', () => {
    fc.assert(
      fc.property(histories, (slots) => {
        const fold = new Fold();
        for (const { slot, timeMs, swaps } of slots) {
          fold.slot(slot, timeMs, swaps);
          expect(fold.book.size).toBeLessThanOrEqual(5 * 3);
        }
      }),
    );
  });

  test('has one digest', () => {
    fc.assert(
      fc.property(histories, (slots) => {
        const digests = [0, 1].map(() => {
          const fold = new Fold();
          for (const { slot, timeMs, swaps } of slots) fold.slot(slot, timeMs, swaps);
          return [...fold.book.digestRows(), ...fold.prices.digestRows()];
        });
        expect(digests[0]).toEqual(digests[1]);
      }),
      { numRuns: 20 },
    );
  });
});

function withoutSlot({ slot: _, ...candle }: Candle) {
  return candle;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { type ListedTrade, naiveWindows } from '../../tests/support/naive-windows.ts';
import { UndoLog } from '../lib/undo-log.ts';
import { BASE_CANDLE_MS } from '../model/derived.ts';
import type { WindowCandle } from '../model/market-rows.ts';
import { windowStartMs } from '../model/market-window.ts';
import { type Address, asPriceE18, asRawAmount, asUsdNano } from '../model/units.ts';
import { MarketWindows } from './market-windows.ts';

const START_MS = Date.UTC(2025, 0, 15, 14, 32, 8);
const HOUR_MS = 3_600_000;
const [POOL, SECOND_POOL] = [address('pool'), address('second pool')];
const OTHER_POOL = address('other pool');
const POOLS = [POOL, SECOND_POOL, OTHER_POOL] as const;
const [MINT, OTHER_MINT] = [address('mint'), address('other mint')];
const MINTS = [MINT, OTHER_MINT];
const mintOf = (pool: Address) => (pool === OTHER_POOL ? OTHER_MINT : MINT);
const WALLETS = Array.from({ length: 6 }, (_, number) => address(`wallet ${number}`));

interface Slot {
  readonly timeMs: number;
  readonly trades: readonly ListedTrade[];
}

const trade = fc.record({
  pool: fc.nat(2),
  trader: fc.nat(6),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  value: fc.option(fc.nat(1_000_000)),
  isOrganic: fc.boolean(),
  base: fc.integer({ min: 1, max: 1_000 }),
  price: fc.option(fc.integer({ min: 1, max: 10_000 })),
});

/** Slots after one another, some of which are reverted. */
const story = fc.array(
  fc.record({
    stepMs: fc.oneof(
      fc.nat(2_000),
      fc.nat(120_000),
      fc.nat(2 * HOUR_MS),
      fc.nat({ max: 30 * HOUR_MS }),
      fc.constantFrom(270_000, 300_000, HOUR_MS - 30_000, HOUR_MS),
      fc.constantFrom(6 * HOUR_MS - 30_000, 24 * HOUR_MS - 30_000, 24 * HOUR_MS),
    ),
    trades: fc.array(trade, { maxLength: 4 }),
    reverts: fc.nat(8).map((number) => (number > 5 ? number - 5 : 0)),
    isFinal: fc.boolean(),
  }),
  { maxLength: 40 },
);

function toTrade(timeMs: number, drawn: typeof trade extends fc.Arbitrary<infer T> ? T : never) {
  const pool = POOLS[drawn.pool] ?? POOL;
  const listed: ListedTrade = {
    timeMs,
    pool,
    mint: mintOf(pool),
    trader: WALLETS[drawn.trader] ?? null,
    side: drawn.side,
    valueUsd: drawn.value === null ? null : asUsdNano(BigInt(drawn.value)),
    isOrganic: drawn.isOrganic,
    baseRaw: BigInt(drawn.base),
    price: drawn.price === null ? null : BigInt(drawn.price),
  };
  return listed;
}

/** The candle of a pool or a mint at a time, from all trades. */
function candleOf(trades: readonly ListedTrade[], scope: Address, timeMs: number): WindowCandle {
  const openTimeMs = Math.floor(timeMs / BASE_CANDLE_MS) * BASE_CANDLE_MS;
  const of = trades.filter(
    (one) =>
      (one.pool === scope || one.mint === scope) &&
      Math.floor(one.timeMs / BASE_CANDLE_MS) * BASE_CANDLE_MS === openTimeMs,
  );
  const prices = of.flatMap(({ price }) => price ?? []);
  const sum = (some: readonly bigint[]) => some.reduce((total, one) => total + one, 0n);
  const priced = of.filter(({ valueUsd }) => valueUsd !== null);
  const [open] = prices;
  const close = prices.at(-1);
  return {
    scope,
    openTimeMs,
    trades: of.length,
    buys: of.filter(({ side }) => side === 'buy').length,
    volumeUsd: asUsdNano(sum(of.map(({ valueUsd }) => valueUsd ?? 0n))),
    baseVolumeRaw: asRawAmount(sum(of.map(({ baseRaw }) => baseRaw))),
    pricedBaseVolumeRaw: asRawAmount(sum(priced.map(({ baseRaw }) => baseRaw))),
    usd:
      open === undefined || close === undefined
        ? null
        : { open: asPriceE18(open), close: asPriceE18(close) },
  };
}

function applySlot(windows: MarketWindows, before: readonly ListedTrade[], slot: Slot): void {
  const all = [...before, ...slot.trades];
  const scopes = new Set(slot.trades.flatMap(({ pool, mint }) => [pool, mint]));
  for (const scope of scopes) windows.putCandle(candleOf(all, scope, slot.timeMs));
  windows.advance(slot.timeMs);
  for (const { mint, ...rest } of slot.trades) windows.addTrade({ ...rest, baseMint: mint });
}

function expectCounted(windows: MarketWindows, slots: readonly Slot[]): void {
  const nowMs = slots.at(-1)?.timeMs;
  if (nowMs === undefined) return;
  const trades = slots.flatMap((slot) => slot.trades);
  for (const scope of [...POOLS, ...MINTS]) {
    expect(windows.figures(scope)).toEqual(naiveWindows(trades, scope, nowMs));
  }
}

type Steps = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Applies and reverts the slots of a story, and compares every state with a recount. */
function followStory(steps: Steps): void {
  const undo = new UndoLog(100);
  const windows = new MarketWindows(undo);
  const slots: Slot[] = [];
  for (const { stepMs, trades, reverts, isFinal } of steps) {
    const timeMs = (slots.at(-1)?.timeMs ?? START_MS) + stepMs;
    const slot = { timeMs, trades: trades.map((drawn) => toTrade(timeMs, drawn)) };
    const before = slots.flatMap((one) => one.trades);
    undo.open();
    applySlot(windows, before, slot);
    undo.close();
    slots.push(slot);
    expectCounted(windows, slots);
    if (isFinal) undo.forget(undo.size);
    for (let count = Math.min(reverts, undo.size); count > 0; count--) {
      undo.undo();
      slots.pop();
      expectCounted(windows, slots);
    }
  }
}

describe('the windows of a market', () => {
  test('equal a recount of the listed trades, at every slot and across forks', () => {
    fc.assert(
      fc.property(story, (steps) => {
        followStory(steps);
      }),
    );
  });

  test('equal a recount when a price becomes known, or is withdrawn, after its window has passed', () => {
    const prices = fc.array(fc.option(fc.integer({ min: 1, max: 9 })), {
      minLength: 6,
      maxLength: 6,
    });
    const late = fc.array(fc.tuple(fc.nat(5), fc.option(fc.integer({ min: 1, max: 9 }))), {
      minLength: 1,
      maxLength: 12,
    });
    const tradeAt = (timeMs: number, price: number | null) =>
      toTrade(timeMs, {
        ...{ pool: 0, trader: 0, side: 'buy', value: 100, isOrganic: true, base: 10 },
        price,
      });
    fc.assert(
      fc.property(prices, late, (drawn, changes) => {
        const undo = new UndoLog(1);
        const windows = new MarketWindows(undo);
        let trades: readonly ListedTrade[] = [];
        for (const [index, price] of drawn.entries()) {
          const slot = { timeMs: START_MS + index * 4 * 60_000, trades: [] as ListedTrade[] };
          slot.trades.push(tradeAt(slot.timeMs, price));
          applySlot(windows, trades, slot);
          trades = [...trades, ...slot.trades];
        }
        const nowMs = trades.at(-1)?.timeMs ?? START_MS;
        const figures = () => [POOL, MINT].map((scope) => windows.figures(scope));
        const recount = () => [POOL, MINT].map((scope) => naiveWindows(trades, scope, nowMs));
        for (const [at, price] of changes) {
          const before = figures();
          trades = trades.map((one, index) => (index === at ? tradeAt(one.timeMs, price) : one));
          const change = () => {
            undo.open();
            for (const scope of [POOL, MINT]) {
              windows.putCandle(candleOf(trades, scope, trades[at]?.timeMs ?? nowMs));
            }
            undo.close();
          };
          change();
          expect(figures()).toEqual(recount());
          undo.undo();
          expect(figures()).toEqual(before);
          change();
          undo.forget(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('count a wallet once that buys again when its last buy is about to leave', () => {
    const windows = new MarketWindows(new UndoLog());
    const drawn = { pool: 0, trader: 1, side: 'buy', value: 5, isOrganic: true, base: 1 } as const;
    const dayMs = 24 * HOUR_MS;
    for (const timeMs of [START_MS, START_MS + dayMs - BASE_CANDLE_MS]) {
      applySlot(windows, [], { timeMs, trades: [toTrade(timeMs, { ...drawn, price: 1 })] });
    }
    expect(windows.figures(POOL)['24h']).toMatchObject({ trades: 2, buyers: 1 });
    windows.advance(START_MS + dayMs);
    expect(windows.figures(POOL)['24h']).toMatchObject({ trades: 1, buyers: 1 });
  });

  test('have nothing left after 24 hours without a trade', () => {
    const windows = new MarketWindows(new UndoLog());
    const drawn = { pool: 0, trader: 1, side: 'buy', value: 5, isOrganic: true } as const;
    const slot = { timeMs: START_MS, trades: [toTrade(START_MS, { ...drawn, base: 1, price: 2 })] };
    applySlot(windows, [], slot);
    expect(windows.counts).toEqual({ scopes: 2, buckets: 2, traders: 2 });
    windows.advance(START_MS + 24 * HOUR_MS - BASE_CANDLE_MS);
    expect(windows.counts).toEqual({ scopes: 2, buckets: 2, traders: 2 });
    windows.advance(START_MS + 24 * HOUR_MS);
    expect(windows.counts).toEqual({ scopes: 0, buckets: 0, traders: 0 });
  });

  test('report the pools and mints whose figures change, also by time alone', () => {
    const changed = new Set<Address>();
    const windows = new MarketWindows(new UndoLog(), (scope) => changed.add(scope));
    const drawn = { pool: 0, trader: 1, side: 'sell', value: 5, isOrganic: false } as const;
    const slot = { timeMs: START_MS, trades: [toTrade(START_MS, { ...drawn, base: 1, price: 2 })] };
    applySlot(windows, [], slot);
    expect([...changed].sort()).toEqual([POOL, MINT].sort());
    changed.clear();
    windows.advance(START_MS + 60_000);
    expect([...changed]).toEqual([]);
    windows.advance(START_MS + 300_000);
    expect([...changed].sort()).toEqual([POOL, MINT].sort());
  });

  test('replace a candle whose trades lose their price', () => {
    const windows = new MarketWindows(new UndoLog());
    const drawn = { pool: 0, trader: 1, side: 'buy', value: 5, isOrganic: true, base: 1 } as const;
    const first = { timeMs: START_MS, trades: [toTrade(START_MS, { ...drawn, price: 100 })] };
    const laterMs = START_MS + 60_000;
    const second = { timeMs: laterMs, trades: [toTrade(laterMs, { ...drawn, price: 300 })] };
    applySlot(windows, [], first);
    applySlot(windows, first.trades, second);
    expect(windows.figures(POOL)['5m'].priceChange).toBe(2);
    const spike = second.trades.map((one) => ({ ...one, price: null }));
    windows.putCandle(candleOf(spike, POOL, laterMs));
    expect(windows.figures(POOL)['5m']).toMatchObject({ trades: 2, priceChange: 0 });
  });

  test('limit what an absurd value adds, and forget it again', () => {
    const windows = new MarketWindows(new UndoLog());
    const absurd = { ...candleOf([], POOL, START_MS), trades: 1, volumeUsd: asUsdNano(2n ** 100n) };
    windows.putCandle(absurd);
    windows.advance(START_MS);
    expect(windows.figures(POOL)['24h'].volumeUsd).toBe(2n ** 94n);
    windows.putCandle({ ...absurd, volumeUsd: asUsdNano(7n) });
    expect(windows.figures(POOL)['24h'].volumeUsd).toBe(7n);
  });

  test('begin at a half minute and are never longer than their name', () => {
    expect(windowStartMs('5m', Date.UTC(2025, 0, 15, 14, 32, 8))).toBe(
      Date.UTC(2025, 0, 15, 14, 27, 30),
    );
    expect(windowStartMs('1h', Date.UTC(2025, 0, 15, 14, 32, 30))).toBe(
      Date.UTC(2025, 0, 15, 13, 33, 0),
    );
  });

  test('refuse a trade of an earlier time', () => {
    const windows = new MarketWindows(new UndoLog());
    const drawn = { pool: 0, trader: 1, side: 'buy', value: 5, isOrganic: true, base: 1 } as const;
    const at = (timeMs: number, pool: number) => ({
      timeMs,
      trades: [toTrade(timeMs, { ...drawn, pool, price: 1 })],
    });
    applySlot(windows, [], at(START_MS, 0));
    expect(() => applySlot(windows, [], at(START_MS - 60_000, 2))).toThrow(RangeError);
  });
});

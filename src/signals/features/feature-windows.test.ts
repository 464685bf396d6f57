import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectStored } from '../../../tests/support/book-trial.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  SCENE_POOL,
  SCENE_START_MS,
  sceneTrade,
  tokensRaw,
} from '../../../tests/support/signal-scene.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { FeatureWindows, HIGHS_MS, MINUTE_MS, type PoolWindow } from './feature-windows.ts';
import { BUYERS_MAX, type MinuteBar, SMART_MAX } from './minute-bar.ts';
import { WindowReading } from './window-reading.ts';

describe('windows', () => {
  test('return what a pool held ten minutes ago, even without a trade at that time', () => {
    const windows = new FeatureWindows(new UndoLog());
    for (const [minute, quote] of [
      [0, 100],
      [3, 90],
      [15, 80],
    ] as const) {
      windows.note(sceneTrade(minute));
      windows.closeMinute(SCENE_POOL, SCENE_START_MS + minute * MINUTE_MS, {
        quoteRaw: quote,
        priceUsd: null,
      });
    }
    const window = windows.window(SCENE_POOL);
    if (window === null) throw new Error('no window');
    const reading = new WindowReading(window, SCENE_START_MS + 15 * MINUTE_MS, (wallet) => wallet);
    expect([reading.quoteAgo(0), reading.quoteAgo(10), reading.quoteAgo(14)]).toEqual([
      80, 90, 100,
    ]);
  });

  test('use the closing price of the minute if it differs from that of the last trade', () => {
    const windows = new FeatureWindows(new UndoLog());
    const close = (minute: number, priceUsd: number) =>
      windows.closeMinute(SCENE_POOL, SCENE_START_MS + minute * MINUTE_MS, {
        quoteRaw: null,
        priceUsd,
      });
    windows.note(sceneTrade(0, { price: 2 }));
    close(0, 3);
    windows.note(sceneTrade(1, { price: null }));
    close(1, 9);
    // Nothing in the second minute sets a price, so the first minute's price remains.
    const bars = windows.window(SCENE_POOL)?.bars;
    expect(bars).toMatchObject([
      { high: 3, low: 2, close: 3 },
      { high: null, low: null, close: null },
    ]);
    expect(windows.window(SCENE_POOL)?.highs.map(({ high }) => high)).toEqual([3]);
  });

  test('are bounded, however many wallets trade for however long', () => {
    const windows = new FeatureWindows(new UndoLog());
    for (let minute = 0; minute < 1_000; minute++) {
      const wallets = minute === 999 ? 200 : 1;
      for (let at = 0; at < wallets; at++) {
        windows.note(sceneTrade(minute, { wallet: `w${at}`, smartWeight: 1 }));
      }
    }
    const window = windows.window(SCENE_POOL);
    expect(window?.bars.length).toBe(66);
    expect(window?.highs.length).toBe(73);
    expect(window?.bars.at(-1)?.buyers.length).toBe(BUYERS_MAX);
    expect(window?.bars.at(-1)?.smart.length).toBe(SMART_MAX);
    // All 200 count in dollars.
    expect(window?.bars.at(-1)?.organicBuyUsd).toBe(200);
  });

  test('drop a pool after six hours without a trade, and not before', () => {
    const windows = new FeatureWindows(new UndoLog());
    windows.note({ ...sceneTrade(0), pool: named('busy') });
    windows.note(sceneTrade(0));
    windows.note({ ...sceneTrade(30), pool: named('busy') });
    windows.dropExpired(SCENE_START_MS + HIGHS_MS);
    expect(windows.poolCount).toBe(2);
    windows.dropExpired(SCENE_START_MS + HIGHS_MS + 5 * MINUTE_MS);
    expect([windows.window(SCENE_POOL), windows.poolCount]).toEqual([null, 1]);
    windows.dropExpired(SCENE_START_MS + HIGHS_MS + 35 * MINUTE_MS);
    expect(windows.poolCount).toBe(0);
  });
});

test('what is dropped needs no memory', () => {
  const undo = new UndoLog();
  const windows = new FeatureWindows(undo);
  const tradeFor = (fromMinute: number, toMinute: number) => {
    for (let minute = fromMinute; minute < toMinute; minute++) {
      for (let at = 0; at < 30; at++) {
        windows.note(sceneTrade(minute, { wallet: `w${at}`, smartWeight: 1, price: minute }));
      }
    }
    windows.dropExpired(SCENE_START_MS + (toMinute + 370) * MINUTE_MS);
    return undo.pages.residentPages;
  };
  const pages = tradeFor(0, 700);
  expect(tradeFor(1_070, 1_770)).toBe(pages);
  expect([windows.window(SCENE_POOL), windows.poolCount]).toEqual([null, 0]);
});

const POOLS = ['one', 'two'].map((name) => address(name));
const anyTrade = fc.record({
  /** Since the trade before. */
  minutes: fc.constantFrom(0, 0, 0, 1, 2, 40, 400),
  pool: fc.constantFrom(...POOLS),
  wallet: fc.constantFrom(...Array.from({ length: 10 }, (_, at) => address(`wallet ${at}`))),
  usd: fc.constantFrom(null, 1, 20_000),
  price: fc.constantFrom(null, 1, 2, 0.5),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  smartWeight: fc.constantFrom(0, 0.7),
});

const anyTrades = fc.array(anyTrade, { maxLength: 60 }).map((trades) => {
  let minute = 0;
  return trades.map(({ minutes, ...trade }) => {
    minute += minutes;
    return { ...trade, minute };
  });
});

type NaiveTrade = typeof anyTrades extends fc.Arbitrary<(infer Trade)[]> ? Trade : never;

test('windows can be undone, stored and restored', () => {
  fc.assert(
    fc.property(anyTrades, fc.nat(59), (trades, stored) => {
      expectStored<FeatureWindows, NaiveTrade>(
        {
          create: (undo) => new FeatureWindows(undo),
          apply(windows, { minute, pool, ...trade }) {
            windows.note({ ...sceneTrade(minute, trade), pool });
            windows.dropExpired(SCENE_START_MS + minute * MINUTE_MS);
          },
          answers: (windows) => POOLS.map((pool) => plainWindow(windows.window(pool))),
        },
        trades,
        stored,
      );
    }),
    { numRuns: 50 },
  );
});

test('windows contain the sums of the trades of each minute', () => {
  fc.assert(
    fc.property(anyTrades, (trades) => {
      const windows = new FeatureWindows(new UndoLog());
      for (const { minute, pool, ...trade } of trades) {
        windows.note({ ...sceneTrade(minute, trade), pool });
      }
      for (const pool of POOLS) {
        const traded = trades.filter((trade) => trade.pool === pool);
        expect(plainWindow(windows.window(pool))).toEqual(naiveWindow(traded));
      }
    }),
  );
});

function plainWindow(window: PoolWindow | null): unknown {
  if (window === null) return null;
  const bars = window.bars.map((bar) => ({ ...bar, buyers: bar.buyers.toSorted() }));
  return { firstMinuteMs: window.firstMinuteMs, bars, highs: window.highs };
}

/** The window of a pool after all of its trades, each minute summed up at once. */
function naiveWindow(trades: readonly NaiveTrade[]): unknown {
  const [first, last] = [trades[0], trades.at(-1)];
  if (first === undefined || last === undefined) return null;
  const minutes = [...new Set(trades.map(({ minute }) => minute))];
  const older = minutes.filter((minute) => minute <= last.minute - 65).at(-1);
  const kept = minutes.filter((minute) => minute >= (older ?? 0));
  const stretchOf = (minute: number) => Math.floor(minute / 5) * 5;
  const priced = trades.filter(({ price }) => price !== null);
  const stretches = [...new Set(priced.map(({ minute }) => stretchOf(minute)))];
  const timeMs = (minute: number) => SCENE_START_MS + minute * MINUTE_MS;
  return {
    firstMinuteMs: timeMs(first.minute),
    bars: kept.map((minute) => ({
      minuteMs: timeMs(minute),
      ...naiveBar(trades.filter((trade) => trade.minute === minute)),
    })),
    highs: stretches
      .filter((stretch) => stretch > last.minute - 6 * 60 - 5)
      .map((stretch) => {
        const within = priced.filter(({ minute }) => stretchOf(minute) === stretch);
        return { stretchMs: timeMs(stretch), high: Math.max(...within.map(priceOf)) };
      }),
  };
}

function naiveBar(trades: readonly NaiveTrade[]): Omit<MinuteBar, 'minuteMs'> {
  const prices = trades.filter(({ price }) => price !== null).map(priceOf);
  const valued = trades.filter(({ usd }) => usd !== null);
  const buys = valued.filter(({ side }) => side === 'buy');
  const sumOf = (some: readonly NaiveTrade[]) => some.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  const smart = valued.filter(({ smartWeight }) => smartWeight > 0);
  return {
    high: prices.length === 0 ? null : Math.max(...prices),
    low: prices.length === 0 ? null : Math.min(...prices),
    close: prices.at(-1) ?? null,
    organicBuyUsd: sumOf(buys),
    organicSellUsd: sumOf(valued) - sumOf(buys),
    volumeUsd: sumOf(valued),
    unvaluedTrades: trades.length - valued.length,
    quoteRaw: null,
    buyers: [...new Set(buys.map(({ wallet }) => wallet))].sort(),
    smart: [...new Set(smart.map(({ wallet }) => wallet))].map((wallet) => {
      const own = smart.filter((trade) => trade.wallet === wallet);
      const [bought, sold] = ['buy', 'sell'].map((side) =>
        own.filter((trade) => trade.side === side),
      ) as [NaiveTrade[], NaiveTrade[]];
      return {
        wallet,
        boughtUsd: near(0.7 * sumOf(bought)),
        soldUsd: near(0.7 * sumOf(sold)),
        boughtBase: Number(tokensRaw(bought.length)),
        soldBase: Number(tokensRaw(sold.length)),
      };
    }),
  };
}

/** Sums of weighted dollars are rounded in the order of trades. */
function near(usd: number): number {
  return expect.closeTo(usd, 6);
}

function priceOf({ price }: NaiveTrade): number {
  return price ?? 0;
}

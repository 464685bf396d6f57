import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { e18, pricedTrade, SOL, TOKEN } from '../../../tests/support/build-trades.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { formatTrimmed, parseDecimal } from '../../lib/decimal.ts';
import { BASE_CANDLE_MS, type Candle, type PricedSwap } from '../../model/derived.ts';
import { asRawAmount } from '../../model/units.ts';
import { mergeCandles } from './candle-merge.ts';
import { candlesOfSwaps } from './swap-candles.ts';

const POOL = address('pool-t');
const MINT = address('token-t');
const MINUTE = 60_000;
const INTERVALS = [1, 5, 15, 30, 60, 240, 1_440].map((minutes) => minutes * MINUTE);

function candlesOf(swaps: readonly PricedSwap[], intervalMs: number, scope = POOL): Candle[] {
  const supplyRaw = asRawAmount(10n);
  return candlesOfSwaps(swaps, {
    scope,
    intervalMs,
    supplyRaw,
    settledUntilMs: 0,
  });
}

describe('candles of trades', () => {
  test('of fixture F1 give its first minute', () => {
    const trades = [
      [10, 'A', 'buy', 1_000_000n, 1_000n],
      [20, 'B', 'buy', 1_000_000n, 1_500n],
      [30, 'A', 'sell', 500_000n, 1_000n],
      [70, 'C', 'buy', 500_000n, 1_000n],
    ] as const;
    const swaps = trades.map(([second, trader, side, tokens, milliSol]) =>
      pricedTrade({
        slot: second * 2,
        timeMs: second * 1_000,
        trader,
        side,
        baseRaw: tokens * TOKEN,
        quoteRaw: (milliSol * SOL) / 1_000n,
      }),
    );
    const [minute, ...rest] = candlesOf(swaps, MINUTE);
    expect(rest.map(({ openTimeMs }) => openTimeMs)).toEqual([MINUTE]);
    expect(minute).toEqual({
      scope: POOL,
      openTimeMs: 0,
      quote: { open: e18(1e-6), high: e18(2e-6), low: e18(1e-6), close: e18(2e-6) },
      usd: { open: e18(0.0002), high: e18(0.0004), low: e18(0.0002), close: e18(0.0004) },
      baseVolumeRaw: 2_500_000n * TOKEN,
      quoteVolumeRaw: (35n * SOL) / 10n,
      volumeUsd: 700_000_000_000n,
      pricedBaseVolumeRaw: 2_500_000n * TOKEN,
      pricingBaseRaw: 2_500_000n * TOKEN,
      pricingUsd: 700_000_000_000n,
      baseDecimals: 6,
      trades: 3,
      buys: 2,
      sells: 1,
      supplyRaw: 10n,
      isFinal: false,
      slot: 60,
    });
  });

  test('of a mint take the volume of all pools and the prices of those that set its price', () => {
    const draft = { slot: 1, timeMs: 0, trader: 'a', side: 'buy', baseRaw: TOKEN } as const;
    const other = { pool: address('other') };
    const swaps = [
      { ...pricedTrade({ ...draft, quoteRaw: SOL }), setsTokenPrice: true },
      pricedTrade({ ...draft, quoteRaw: 3n * SOL, rest: other }),
    ];
    const [candle] = candlesOf(swaps, 1_000, MINT);
    expect(candle?.quote).toBeNull();
    expect(candle?.usd).toEqual({ open: e18(200), high: e18(200), low: e18(200), close: e18(200) });
    expect(candle?.volumeUsd).toBe(800_000_000_000n);
    expect(candle?.baseVolumeRaw).toBe(2n * TOKEN);
    expect(candle?.quoteVolumeRaw).toBe(0n);
    expect([candle?.pricingBaseRaw, candle?.pricingUsd]).toEqual([TOKEN, 200_000_000_000n]);
  });

  test('without USD have no priced volume', () => {
    const draft = { slot: 1, timeMs: 0, trader: 'a', side: 'buy', baseRaw: TOKEN } as const;
    const [candle] = candlesOf([pricedTrade({ ...draft, quoteRaw: SOL }, null)], 1_000);
    expect(candle?.usd).toBeNull();
    expect(candle?.quote?.close).toBe(e18(1));
    expect([candle?.volumeUsd, candle?.pricedBaseVolumeRaw]).toEqual([0n, 0n]);
  });

  test('are final when they end by the settled time', () => {
    const draft = { slot: 1, timeMs: 1_999, trader: 'a', side: 'buy', baseRaw: TOKEN } as const;
    const swaps = [pricedTrade({ ...draft, quoteRaw: SOL })];
    const options = { scope: POOL, intervalMs: 1_000, supplyRaw: null };
    const isFinal = (settledUntilMs: number) =>
      candlesOfSwaps(swaps, { ...options, settledUntilMs }).map((candle) => candle.isFinal);
    expect([isFinal(1_999), isFinal(2_000)]).toEqual([[false], [true]]);
  });
});

const trade = fc.record({
  gapMs: fc.oneof(
    fc.integer({ min: 0, max: 2_000 }),
    fc.integer({ min: 0, max: 100_000 }),
    fc.integer({ min: 0, max: 50_000_000 }),
  ),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  baseRaw: fc.bigInt(1n, 10n ** 12n),
  quoteRaw: fc.bigInt(1n, 10n ** 12n),
  usd: fc.constantFrom(null, e18(1), e18(200)),
});

const history = fc.array(trade, { maxLength: 80 }).map((drafts) => {
  let timeMs = 1_700_000_000_000;
  return drafts.map(({ gapMs, usd, ...draft }, index) => {
    timeMs += gapMs;
    return pricedTrade({ ...draft, slot: index, timeMs, trader: 'a' }, usd);
  });
});

describe('merged candles', () => {
  test('equal the candles of the trades, at every interval', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...INTERVALS), (swaps, intervalMs) => {
        const base = candlesOf(swaps, BASE_CANDLE_MS);
        expect(mergeCandles(base, intervalMs)).toEqual(candlesOf(swaps, intervalMs));
      }),
    );
  });

  test('can be merged further', () => {
    fc.assert(
      fc.property(history, (swaps) => {
        const base = candlesOf(swaps, BASE_CANDLE_MS);
        const hours = mergeCandles(base, 60 * MINUTE);
        expect(mergeCandles(mergeCandles(base, 15 * MINUTE), 60 * MINUTE)).toEqual(hours);
      }),
    );
  });

  test('keep low ≤ open, close ≤ high, and all volume', () => {
    fc.assert(
      fc.property(history, (swaps) => {
        const candles = mergeCandles(candlesOf(swaps, BASE_CANDLE_MS), 5 * MINUTE);
        let volumeUsd = 0n;
        for (const { quote, usd, ...candle } of candles) {
          volumeUsd += candle.volumeUsd;
          for (const range of [quote, usd]) {
            if (range === null) continue;
            const { open, high, low, close } = range;
            expect(low <= open && low <= close && open <= high && close <= high).toBe(true);
          }
        }
        expect(volumeUsd).toBe(swaps.reduce((sum, swap) => sum + (swap.valueUsd ?? 0n), 0n));
      }),
    );
  });

  test('are final when all their parts are, and have the supply and slot of the last', () => {
    const draft = { trader: 'a', side: 'buy', baseRaw: TOKEN, quoteRaw: SOL } as const;
    const swaps = [0, 30_000].map((timeMs, slot) => pricedTrade({ ...draft, slot, timeMs }));
    const [first, second] = candlesOf(swaps, BASE_CANDLE_MS);
    if (first === undefined || second === undefined) throw new Error('two candles');
    const done = { ...first, isFinal: true, supplyRaw: asRawAmount(7n) };
    expect(mergeCandles([done, second], MINUTE)).toMatchObject([
      { isFinal: false, supplyRaw: 10n, slot: 1, trades: 2 },
    ]);
    expect(mergeCandles([done, { ...second, isFinal: true }], MINUTE)[0]?.isFinal).toBe(true);
  });

  test('reject candles out of order and invalid intervals', () => {
    const draft = { slot: 1, trader: 'a', side: 'buy', baseRaw: TOKEN, quoteRaw: SOL } as const;
    const early = candlesOf([pricedTrade({ ...draft, timeMs: 0 })], BASE_CANDLE_MS);
    const late = candlesOf([pricedTrade({ ...draft, timeMs: MINUTE })], BASE_CANDLE_MS);
    expect(() => mergeCandles([...late, ...early], MINUTE)).toThrow('out of order');
    for (const intervalMs of [0, -1, 1.5, Number.NaN]) {
      expect(() => mergeCandles(early, intervalMs)).toThrow(RangeError);
    }
  });
});

/** Trades of an exchange: prices with 8 decimals, integer amounts. */
function readTrades(): PricedSwap[] {
  return readRows('trades').map(([time = '', , , side = '', price = '', amount = ''], slot) => {
    const baseRaw = parseDecimal(amount, 6) ?? 0n;
    // The quote has 14 decimals, so price times amount is exact.
    const quoteRaw = asRawAmount((parseDecimal(price, 8) ?? 0n) * baseRaw);
    return pricedTrade({
      slot,
      timeMs: Number(time),
      trader: 'a',
      side: side === 'buy' ? 'buy' : 'sell',
      baseRaw,
      quoteRaw,
      rest: { quoteDecimals: 14 },
    });
  });
}

function readRows(name: string): string[][] {
  const text = readFileSync(join(testData, 'labels/ohlc', `XRP_ETH_${name}.csv`), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
}

/** Time and the five numbers of a published row, in decimal notation. */
function published([date = '', ...numbers]: readonly string[]) {
  return [
    Date.parse(date),
    ...numbers.map((text) => formatTrimmed(parseDecimal(text, 18) ?? -1n, 18)),
  ];
}

describe.skipIf(!hasTestData)('12,477 recorded trades', () => {
  test.each([
    ['1m', MINUTE],
    ['5m', 5 * MINUTE],
  ])('make the published %s candles', (name, intervalMs) => {
    const base = candlesOf(readTrades(), BASE_CANDLE_MS);
    const candles = mergeCandles(base, intervalMs).map(({ openTimeMs, quote, baseVolumeRaw }) => [
      openTimeMs,
      ...[quote?.open, quote?.high, quote?.low, quote?.close].map((price) =>
        formatTrimmed(price ?? -1n, 18),
      ),
      formatTrimmed(baseVolumeRaw, 6),
    ]);
    expect(candles).toEqual(readRows(`${name}_candles`).map(published));
  });
});

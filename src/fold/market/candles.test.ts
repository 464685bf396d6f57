import { describe, expect, test } from 'vitest';
import { e18, pricedTrade, TOKEN } from '../../../tests/support/build-trades.ts';
import {
  CandleFold,
  MINT,
  OTHER_POOL,
  POOL,
  SUPPLY,
  tradeAt,
} from '../../../tests/support/candle-fold.ts';
import { mergeCandles } from './candle-merge.ts';

function range(open: number, high: number, low: number, close: number) {
  return { open: e18(open), high: e18(high), low: e18(low), close: e18(close) };
}

describe('candles in the fold', () => {
  test('of fixture F1 merge to its first minute', () => {
    const fold = new CandleFold();
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

  test('are one per scope and slot, pool before mint, in order of trade', () => {
    const fold = new CandleFold();
    const changed = fold.slot(10, 0, [
      tradeAt(10, 0, 1),
      tradeAt(10, 0, 1.1, { pool: OTHER_POOL }),
      tradeAt(10, 0, 1.2),
    ]);
    expect(changed.map(({ scope }) => scope)).toEqual([POOL, MINT, OTHER_POOL]);
    expect(changed.map(({ quote }) => quote)).toEqual([
      range(1, 1.2, 1, 1.2),
      null,
      range(1.1, 1.1, 1.1, 1.1),
    ]);
    // The mint: all volume, (1 + 1.1 + 1.2) * 100 SOL, but not the price of the other pool.
    expect(changed[1]).toMatchObject({ usd: range(200, 240, 200, 240), trades: 3 });
    expect(changed[1]?.volumeUsd).toBe(66_000n * 1_000_000_000n);
  });

  test('remove a sandwich when its back leg is detected', () => {
    const fold = new CandleFold();
    const [before] = fold.slot(10, 0, [
      tradeAt(10, 0, 1, { trader: 'x' }),
      tradeAt(10, 0, 1.35, { trader: 'v', tokens: 10n }),
    ]);
    expect(before?.quote).toEqual(range(1, 1.35, 1, 1.35));
    const [after] = fold.slot(11, 400, [tradeAt(11, 400, 1.05, { trader: 'x', side: 'sell' })]);
    expect(after?.quote).toEqual(range(1.35, 1.35, 1.35, 1.35));
    expect(after).toMatchObject({ trades: 3, buys: 2, sells: 1, slot: 11 });
  });

  test('are returned when a label changes an ended candle', () => {
    const fold = new CandleFold();
    fold.slot(10, 29_000, [tradeAt(10, 29_000, 1)]);
    fold.slot(11, 29_400, [tradeAt(11, 29_400, 2)]);
    const changed = fold.slot(12, 30_000, [tradeAt(12, 30_000, 1)]);
    const earlier = changed.filter(({ scope, openTimeMs }) => scope === POOL && openTimeMs === 0);
    expect(earlier).toMatchObject([
      { quote: range(1, 1, 1, 1), isFinal: false, slot: 12, trades: 2 },
    ]);
  });

  test('revert a label after older trades of the same candle are settled', () => {
    const fold = new CandleFold();
    fold.slot(10, 0, [tradeAt(10, 0, 1)]);
    fold.slot(40, 9_900, [tradeAt(40, 9_900, 1.2, { trader: 'x' }), tradeAt(40, 9_900, 1.21)]);
    fold.slot(41, 10_000);
    expect(fold.trades.map(({ isSettled }) => isSettled)).toEqual([true, false, false]);
    fold.slot(42, 10_400, [tradeAt(42, 10_400, 1.22, { trader: 'x', side: 'sell' })]);
    expect(fold.of(POOL)[0]?.quote).toEqual(range(1, 1.21, 1, 1.21));
  });

  test('keep the order of trades when a busier pool of the mint settles first', () => {
    const fold = new CandleFold();
    const other = { pool: OTHER_POOL };
    fold.slot(
      10,
      0,
      [tradeAt(10, 0, 1, { trader: 'x', ...other }), tradeAt(10, 0, 0.9, other)],
      OTHER_POOL,
    );
    const busy = Array.from({ length: 70 }, () => tradeAt(11, 400, 1.1));
    fold.slot(11, 400, busy);
    expect(fold.of(MINT)[0]?.usd).toEqual(range(200, 220, 180, 220));
    fold.slot(12, 800, [tradeAt(12, 800, 1.01, { trader: 'x', side: 'sell', ...other })]);
    expect(fold.trades.filter(({ isSettled }) => isSettled)).toHaveLength(6);
    expect(fold.of(MINT)[0]?.usd).toEqual(range(180, 220, 180, 220));
    fold.slot(100, 40_000);
    expect(fold.of(MINT)[0]).toMatchObject({ usd: range(180, 220, 180, 220), isFinal: true });
  });

  test('are final once they have ended and their trades are settled', () => {
    const fold = new CandleFold();
    fold.slot(10, 1_000, [tradeAt(10, 1_000, 1)]);
    expect(fold.slot(90, 29_999)).toEqual([]);
    const early = fold.slot(91, 30_000);
    expect(early.map(({ scope, isFinal, slot }) => [scope, isFinal, slot])).toEqual([
      [POOL, true, 91],
      [MINT, true, 91],
    ]);

    fold.slot(100, 59_000, [tradeAt(100, 59_000, 1)]);
    expect(fold.slot(110, 68_999)).toEqual([]);
    expect(fold.slot(111, 69_000).map(({ isFinal }) => isFinal)).toEqual([true, true]);
    expect(fold.book.size).toBe(0);
  });

  test('become final also for a pool whose address is that of its mint', () => {
    const fold = new CandleFold();
    const odd = { pool: MINT };
    fold.slot(10, 0, [tradeAt(10, 0, 1, { trader: 'x', ...odd }), tradeAt(10, 0, 1.35, odd)], MINT);
    fold.slot(11, 400, [tradeAt(11, 400, 1.05, { trader: 'x', side: 'sell', ...odd })], MINT);
    fold.slot(100, 60_000);
    expect(fold.of(MINT)).toMatchObject([{ quote: range(1.35, 1.35, 1.35, 1.35), isFinal: true }]);
    expect(fold.book.size).toBe(0);
  });

  test('without a trade that may set a price have volume but no price', () => {
    const fold = new CandleFold();
    const dust = { ...tradeAt(10, 0, 1), exclusion: 'dust' } as const;
    const [candle] = fold.slot(10, 0, [dust]);
    const without = { quote: null, usd: null, pricingBaseRaw: 0n, pricingUsd: 0n };
    expect(candle).toMatchObject({ ...without, trades: 1 });
    expect(candle?.volumeUsd).toBe(20_000_000_000_000n);
    expect(fold.slot(11, 30_000).map(({ isFinal }) => isFinal)).toEqual([true, true]);
  });

  test('record the part of the volume with a known value', () => {
    const fold = new CandleFold();
    const unpriced = { ...tradeAt(10, 0, 1), valueUsd: null, priceUsd: null };
    const [candle] = fold.slot(10, 0, [tradeAt(10, 0, 1), unpriced]);
    expect(candle).toMatchObject({
      volumeUsd: 20_000_000_000_000n,
      baseVolumeRaw: 200n * TOKEN,
      pricedBaseVolumeRaw: 100n * TOKEN,
    });
  });

  test('record what the trades that set the prices moved, whatever label came later', () => {
    const fold = new CandleFold();
    const dust = { ...tradeAt(10, 0, 3), exclusion: 'dust' } as const;
    const [candle] = fold.slot(10, 0, [tradeAt(10, 0, 1), dust, tradeAt(10, 0, 1)]);
    expect(candle).toMatchObject({
      baseVolumeRaw: 300n * TOKEN,
      pricingBaseRaw: 200n * TOKEN,
      pricingUsd: 40_000_000_000_000n,
    });
  });

  test('are shown flat at the last close while they have no price of their own', () => {
    const fold = new CandleFold();
    const dust = (slot: number, timeMs: number) =>
      ({ ...tradeAt(slot, timeMs, 9), exclusion: 'dust' }) as const;
    fold.slot(10, 0, [dust(10, 0)]);
    expect(fold.shownOf(POOL)).toEqual([]);
    fold.slot(100, 30_000, [tradeAt(100, 30_000, 1)]);
    fold.slot(200, 90_000, [dust(200, 90_000)]);
    // Of the candle with the price only its close remains.
    expect(fold.book.find(POOL, 30_000)).toBeNull();
    for (const scope of [POOL, MINT]) {
      const flat = { usd: range(200, 200, 200, 200), trades: 1, pricingBaseRaw: 0n };
      expect(fold.shownOf(scope)).toMatchObject([{ openTimeMs: 30_000 }, flat]);
      expect(fold.book.find(scope, 90_000)?.usd).toBeNull();
      expect(fold.book.findShown(scope, 90_000)).toMatchObject(flat);
    }
  });

  test.each([
    ['move with a close that a label changes', POOL, [200, 200]],
    ['are no longer shown once a label takes the only price', OTHER_POOL, []],
  ])('without a price %s', (_, primaryAtFirst, closes) => {
    const fold = new CandleFold();
    const closesOfMint = () => fold.shownOf(MINT).map(({ usd }) => usd?.close);
    const ofOther = { pool: OTHER_POOL };
    fold.slot(10, 29_000, [tradeAt(10, 29_000, 1)], primaryAtFirst);
    fold.slot(11, 29_400, [tradeAt(11, 29_400, 2)]);
    fold.slot(12, 30_000, [tradeAt(12, 30_000, 1, ofOther)]);
    expect(closesOfMint()).toEqual([e18(400), e18(400)]);
    // The price of slot 11 turns out to be a spike.
    fold.slot(13, 30_400, [tradeAt(13, 30_400, 1)], OTHER_POOL);
    expect(closesOfMint()).toEqual(closes.map(e18));
  });

  test('exclude quarantined swaps', () => {
    const fold = new CandleFold();
    expect(fold.slot(10, 0, [{ ...tradeAt(10, 0, 1), exclusion: 'quarantined' }])).toEqual([]);
    expect(fold.book.size).toBe(0);
  });
});

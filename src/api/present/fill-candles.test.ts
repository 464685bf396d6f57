import { describe, expect, test } from 'vitest';
import { fakeCandle } from '../../../tests/support/fake-api-deps.ts';
import { asPriceE18 } from '../../model/units.ts';
import { fillCandles, withFlatPrices } from './fill-candles.ts';

const range = { fromMs: 0, toMs: 4_000 };
const closes = (prices: readonly (number | null)[]) =>
  prices.map((price) => (price === null ? null : BigInt(price)));
const at = (openTimeMs: number, open: number, close: number) =>
  fakeCandle(openTimeMs, {
    usd: {
      open: asPriceE18(BigInt(open)),
      high: asPriceE18(9n),
      low: asPriceE18(1n),
      close: asPriceE18(BigInt(close)),
    },
  });

describe('filling candles', () => {
  test('repeats the close of the previous candle, without volume', () => {
    const filled = fillCandles([at(1_000, 2, 5)], null, range, 1_000);
    expect(filled.map(({ openTimeMs }) => openTimeMs)).toEqual([1_000, 2_000, 3_000]);
    expect(filled[1]).toMatchObject({
      usd: { open: 5n, high: 5n, low: 5n, close: 5n },
      baseVolumeRaw: 0n,
      quoteVolumeRaw: 0n,
      volumeUsd: 0n,
      pricedBaseVolumeRaw: 0n,
      trades: 0,
      buys: 0,
      sells: 0,
    });
  });

  test('starts from the last candle before the range', () => {
    const filled = fillCandles([at(2_000, 2, 5)], at(-9_000, 3, 7), range, 1_000);
    expect(filled.map(({ usd }) => usd?.close ?? null)).toEqual(closes([7, 7, 5, 5]));
  });

  test('omits buckets before the first candle', () => {
    expect(fillCandles([], null, range, 1_000)).toEqual([]);
  });
});

describe('candles without a price', () => {
  const priceless = (openTimeMs: number) => fakeCandle(openTimeMs, { usd: null });

  test('are flat at the last close, with their own volume', () => {
    const flat = withFlatPrices([at(0, 2, 5), priceless(1_000), at(2_000, 6, 7)], null);
    expect(flat.map(({ usd }) => usd?.close)).toEqual([5n, 5n, 7n]);
    expect(flat[1]).toEqual({
      ...priceless(1_000),
      usd: { open: 5n, high: 5n, low: 5n, close: 5n },
    });
  });

  test('at the beginning take the close of the candle before them', () => {
    const flat = withFlatPrices([priceless(0), priceless(1_000)], at(-9_000, 3, 7));
    expect(flat.map(({ usd }) => usd?.close)).toEqual([7n, 7n]);
  });

  test('before the first price are omitted', () => {
    const flat = withFlatPrices([priceless(0), at(1_000, 2, 5)], null);
    expect(flat.map(({ openTimeMs }) => openTimeMs)).toEqual([1_000]);
  });
});

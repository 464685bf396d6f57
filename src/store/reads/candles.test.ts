import { beforeAll, describe, expect, test } from 'vitest';
import {
  buildCandle,
  buildChanges,
  buildPool,
  buildSwap,
  buildToken,
  prices,
} from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import type { Candle, PriceExclusion } from '../../model/derived.ts';
import { asPriceE18, asRawAmount, asUsdNano } from '../../model/units.ts';
import { StoredCandles } from './candles.ts';

const priceless = {
  quote: null,
  usd: null,
  pricingBaseRaw: asRawAmount(0n),
  pricingUsd: asUsdNano(0n),
};

describe.each(transports)('candles %s', (_, open) => {
  const opened = useDataPlane(open);
  const visible = { epoch: 1 };
  const pool = address('candles');
  const minute = 60_000;
  // The second has no price; the third has no known supply and only a USD price.
  const stored: Candle[] = [
    buildCandle(pool, 0, { quote: prices(5n, 9n, 4n, 6n), usd: prices(50n, 90n, 40n, 60n) }),
    buildCandle(pool, 30_000, { ...priceless, volumeUsd: asUsdNano(1n), sells: 2 }),
    buildCandle(pool, 90_000, { quote: null, usd: prices(70n, 95n, 30n, 80n), supplyRaw: null }),
    buildCandle(pool, 300_000, { isFinal: false }),
  ];

  beforeAll(async () => {
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(400, { candles: stored })],
      epoch: 1,
    });
  });

  test('are returned as they were stored', async () => {
    const candles = new StoredCandles(opened.plane.fast, visible);
    const range = { scope: pool, fromMs: 0, toMs: 330_000, intervalMs: 30_000 };
    expect(await candles.read(range)).toEqual(stored);
    expect(await candles.read({ ...range, fromMs: 30_000, toMs: 300_000 })).toEqual([
      stored[1],
      stored[2],
    ]);
  });

  test('merge to a coarser interval: first open, last close, extremes, sums', async () => {
    const candles = new StoredCandles(opened.plane.fast, visible);
    const range = { scope: pool, fromMs: 0, toMs: 5 * minute, intervalMs: 5 * minute };
    expect(await candles.read(range)).toEqual([
      {
        ...buildCandle(pool, 0),
        quote: prices(5n, 9n, 4n, 6n),
        usd: prices(50n, 95n, 30n, 80n),
        baseVolumeRaw: 30n,
        quoteVolumeRaw: 60n,
        volumeUsd: 6_001n,
        pricedBaseVolumeRaw: 30n,
        pricingBaseRaw: 20n,
        pricingUsd: 6_000n,
        trades: 3,
        buys: 3,
        sells: 2,
        supplyRaw: null,
        slot: 90,
      },
    ]);
  });

  test('replace their earlier state', async () => {
    const scope = address('replaced');
    const candles = new StoredCandles(opened.plane.fast, visible);
    for (const [slot, trades] of [
      [5, 1],
      [7, 3],
      [6, 2],
    ] as const) {
      const candle = buildCandle(scope, 30_000, { trades });
      await opened.writer.writeBatch({
        slots: [],
        changes: [buildChanges(slot, { candles: [candle] })],
        epoch: 1,
      });
    }
    const range = { scope, fromMs: 0, toMs: minute, intervalMs: minute };
    expect((await candles.read(range)).map(({ trades }) => trades)).toEqual([3]);
    expect((await candles.lastBefore(scope, minute))?.trades).toBe(3);
  });

  test('with a price are found, not those that lost theirs', async () => {
    const scope = address('lost');
    const candles = new StoredCandles(opened.plane.fast, visible);
    const first = buildCandle(scope, 0);
    const versions = [
      [5, first],
      [6, buildCandle(scope, 30_000)],
      [7, buildCandle(scope, 30_000, priceless)],
      [8, buildCandle(scope, 60_000, priceless)],
    ] as const;
    for (const [slot, candle] of versions) {
      await opened.writer.writeBatch({
        slots: [],
        changes: [buildChanges(slot, { candles: [candle] })],
        epoch: 1,
      });
    }
    expect(await candles.lastBefore(scope, 90_000)).toEqual(first);
  });

  test('are found by the last one before a time', async () => {
    const candles = new StoredCandles(opened.plane.fast, visible);
    expect(await candles.lastBefore(pool, 300_001)).toEqual(stored[3]);
    expect(await candles.lastBefore(pool, 300_000)).toEqual(stored[2]);
    expect(await candles.lastBefore(pool, 0)).toBeNull();
  });

  test('of one second are made from swaps, with supply and finality of the stored candle', async () => {
    const fine = address('fine');
    const candles = new StoredCandles(opened.plane.fast, visible);
    const at = (
      timeMs: number,
      txIndex: number,
      price: bigint,
      exclusion: PriceExclusion | null = null,
    ) =>
      buildSwap(fine, `fine${timeMs}/${txIndex}`, {
        timeMs,
        txIndex,
        exclusion,
        price: asPriceE18(price),
        priceUsd: asPriceE18(price * 10n),
      });
    const swaps = [
      at(1_000, 7, 4n),
      at(1_000, 3, 5n),
      at(1_400, 0, 9n, 'dust'),
      at(1_500, 0, 99n, 'quarantined'),
      at(2_999, 0, 3n),
    ];
    const around = buildCandle(fine, 0, { supplyRaw: asRawAmount(77n), isFinal: true });
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { swaps, candles: [around] })],
      epoch: 1,
    });
    const range = { scope: fine, fromMs: 1_000, toMs: 3_000, intervalMs: 1_000 };
    const expected = { ...around, slot: 100, isFinal: true };
    expect(await candles.read({ ...range, isPool: true })).toEqual(await candles.read(range));
    expect(await candles.read(range)).toEqual([
      {
        ...expected,
        openTimeMs: 1_000,
        quote: prices(5n, 5n, 4n, 4n),
        usd: prices(50n, 50n, 40n, 40n),
        baseVolumeRaw: 30n,
        quoteVolumeRaw: 60n,
        volumeUsd: 9_000n,
        pricedBaseVolumeRaw: 30n,
        pricingBaseRaw: 20n,
        pricingUsd: 6_000n,
        trades: 3,
        buys: 3,
      },
      { ...expected, openTimeMs: 2_000, quote: prices(3n), usd: prices(30n) },
    ]);
  });

  test('of a mint include all its pools and are priced by the swaps that set its price', async () => {
    const mint = address('two pools');
    const [primary, other] = [address('primary'), address('other')];
    const swap = (scope: typeof primary, priceUsd: bigint, setsTokenPrice: boolean) =>
      buildSwap(scope, `of ${scope}`, {
        timeMs: 1_000,
        priceUsd: asPriceE18(priceUsd),
        setsTokenPrice,
        swap: { baseMint: mint },
      });
    await opened.writer.writeBatch({
      slots: [],
      changes: [
        buildChanges(100, {
          swaps: [swap(primary, 8n, true), swap(other, 9n, false)],
          pools: [buildPool(primary, mint), buildPool(other, mint)],
          tokens: [buildToken(mint, { primaryPool: other })],
        }),
      ],
      epoch: 1,
    });
    const range = { scope: mint, fromMs: 0, toMs: 5_000, intervalMs: 5_000 };
    // No pool has the address of the mint.
    expect(
      await new StoredCandles(opened.plane.fast, visible).read({ ...range, isPool: true }),
    ).toEqual([]);
    expect(await new StoredCandles(opened.plane.fast, visible).read(range)).toMatchObject([
      { trades: 2, volumeUsd: 6_000n, quote: null, usd: prices(8n), supplyRaw: null },
    ]);
  });

  test('of an interval that does not fit the stored ones are refused', async () => {
    const range = { scope: pool, fromMs: 0, toMs: 1, intervalMs: 7_000 };
    await expect(new StoredCandles(opened.plane.fast, visible).read(range)).rejects.toThrow(
      RangeError,
    );
  });
});

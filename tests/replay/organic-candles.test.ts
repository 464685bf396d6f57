import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CurrentCandles } from '../../src/ingestion/current-candles.ts';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import type { PricedSwap } from '../../src/model/derived.ts';
import type { PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
import { type DataPlane, openDataPlane } from '../../src/store/data-plane.ts';
import { StoredCandles } from '../../src/store/reads/candles.ts';
import { SlotWriter } from '../../src/store/writes/slot-writer.ts';
import {
  buildCandle,
  buildChanges,
  buildPool,
  buildSwap,
  prices,
} from '../support/build-records.ts';
import { address } from '../support/build-transaction.ts';

const mint = address('organic mint');
const pools = [address('organic pool'), address('other organic pool')] as const;
const MINUTE = 60_000;

describe('candles of organic trades', () => {
  let folder: string;
  let plane: DataPlane;
  let epoch = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'organic-candles-'));
    plane = await openDataPlane({ dataDir: folder });
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  async function candlesOf(stored: readonly PricedSwap[], unwritten: readonly PricedSwap[] = []) {
    epoch++;
    const records = { pools: pools.map((pool) => buildPool(pool, mint)) };
    const around = buildCandle(pools[0], 0, { supplyRaw: 5n as RawAmount });
    const changes = buildChanges(1, { swaps: stored, candles: [around], ...records });
    await new SlotWriter(plane.writer).writeBatch({ slots: [], changes: [changes], epoch });
    const rest = unwritten.length === 0 ? [] : [{ changes: buildChanges(2, { swaps: unwritten }) }];
    return new CurrentCandles(
      new StoredCandles(plane.fast, { epoch }),
      new UnwrittenRows(() => rest),
    );
  }

  const swap = (word: string, seconds: number, given: Parameters<typeof buildSwap>[2] = {}) => {
    const { swap: inner, ...priced } = given;
    return buildSwap(pools[0], word, {
      timeMs: seconds * 1_000,
      slot: (seconds + 1) as Slot,
      ...priced,
      swap: { baseMint: mint, ...inner },
    });
  };
  const usd = (priceUsd: bigint, given: Parameters<typeof buildSwap>[2] = {}) => ({
    priceUsd: priceUsd as PriceE18,
    price: priceUsd as PriceE18,
    ...given,
  });

  test('count only organic volume, and take prices only from organic trades without an exclusion', async () => {
    const candles = await candlesOf([
      swap('bot', 0, usd(900n, { isOrganic: false })),
      swap('first', 1, usd(10n)),
      swap('spike', 2, usd(700n, { exclusion: 'spike' })),
      swap('low', 3, usd(4n, { swap: { side: 'sell' } })),
      swap('last', 4, usd(6n)),
      swap('late bot', 5, usd(1n, { isOrganic: false })),
    ]);
    const range = { scope: pools[0], fromMs: 0, toMs: MINUTE, intervalMs: MINUTE };
    expect(await candles.read({ ...range, view: 'organic' })).toEqual([
      {
        ...buildCandle(pools[0], 0),
        quote: prices(10n, 10n, 4n, 6n),
        usd: prices(10n, 10n, 4n, 6n),
        baseVolumeRaw: 40n,
        quoteVolumeRaw: 80n,
        volumeUsd: 12_000n,
        pricedBaseVolumeRaw: 40n,
        pricingBaseRaw: 30n,
        pricingUsd: 9_000n,
        trades: 4,
        buys: 3,
        sells: 1,
        supplyRaw: 5n,
        isFinal: true,
        slot: 5,
      },
    ]);
  });

  test('start a filled gap from the last organic trade that set a price, also after trades were relabelled', async () => {
    const stored = [
      swap('old', 10, usd(3n)),
      swap('relabelled', 20, usd(8n)),
      swap('excluded', 30, usd(9n, { exclusion: 'dust' })),
      swap('bot', 40, usd(5n, { isOrganic: false })),
    ];
    const relabelled = swap('relabelled', 20, usd(8n, { exclusion: 'sandwich_leg' }));
    const priceBefore = async (unwritten: readonly PricedSwap[]) => {
      const candles = await candlesOf(stored, unwritten);
      return (await candles.lastBefore(pools[0], MINUTE, 'organic'))?.usd?.close ?? null;
    };
    expect(await priceBefore([])).toBe(8n);
    expect(await priceBefore([relabelled])).toBe(3n);
    expect(await priceBefore([relabelled, swap('new', 50, usd(7n))])).toBe(7n);
    const none = await candlesOf([swap('bot', 1, usd(5n, { isOrganic: false }))]);
    expect(await none.lastBefore(pools[0], MINUTE, 'organic')).toBeNull();
  });

  test('of a mint sum both pools, with the prices of its primary pool, for any stored part', async () => {
    const trade = fc.record({
      seconds: fc.nat(400),
      pool: fc.constantFrom(...pools),
      isOrganic: fc.boolean(),
      exclusion: fc.constantFrom(null, null, 'dust' as const, 'quarantined' as const),
      cents: fc.integer({ min: 1, max: 99 }),
    });
    const trades = fc.array(trade, { minLength: 1, maxLength: 30 });
    const intervals = fc.constantFrom(1_000, 15_000, 30_000, MINUTE, 5 * MINUTE);
    await fc.assert(
      fc.asyncProperty(trades, intervals, fc.nat(30), async (drafts, intervalMs, cut) => {
        const swaps = drafts
          .sort((one, other) => one.seconds - other.seconds)
          .map(({ seconds, pool, isOrganic, exclusion, cents }, txIndex) =>
            buildSwap(pool, `${epoch} ${txIndex}`, {
              timeMs: seconds * 1_000,
              slot: (seconds + 1) as Slot,
              txIndex,
              isOrganic,
              exclusion,
              setsTokenPrice: pool === pools[0],
              priceUsd: BigInt(cents) as PriceE18,
              valueUsd: BigInt(cents) as UsdNano,
              swap: { baseMint: mint },
            }),
          );
        const candles = await candlesOf(swaps.slice(0, cut), swaps.slice(cut));
        const range = { scope: mint, fromMs: 0, toMs: 600_000, intervalMs };
        const answer = await candles.read({ ...range, view: 'organic' });
        const counted = swaps.filter((each) => each.isOrganic && each.exclusion !== 'quarantined');
        const opens = [...new Set(counted.map(({ timeMs }) => Math.floor(timeMs / intervalMs)))];
        expect(answer.map(({ openTimeMs }) => openTimeMs / intervalMs)).toEqual(opens);
        for (const candle of answer) {
          const own = counted.filter(
            ({ timeMs }) => Math.floor(timeMs / intervalMs) * intervalMs === candle.openTimeMs,
          );
          const pricing = own
            .filter(({ exclusion, setsTokenPrice }) => exclusion === null && setsTokenPrice)
            .map(({ priceUsd }) => priceUsd);
          expect(candle.trades).toBe(own.length);
          expect(candle.volumeUsd).toBe(own.reduce((sum, each) => sum + (each.valueUsd ?? 0n), 0n));
          expect(candle.usd?.open ?? null).toBe(pricing[0] ?? null);
          expect(candle.usd?.close ?? null).toBe(pricing.at(-1) ?? null);
        }
      }),
      { numRuns: 20, seed: 5 },
    );
  });
});

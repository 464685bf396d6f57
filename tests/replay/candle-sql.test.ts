import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeCandles } from '../../src/fold/market/candle-merge.ts';
import { candlesOfSwaps } from '../../src/fold/market/swap-candles.ts';
import type { Candle, PricedSwap, PriceExclusion } from '../../src/model/derived.ts';
import type { Address, PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
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

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** A little over two days around the start of a month, where one partition ends. */
const START_MS = Date.UTC(2025, 1, 28);

const amount = fc.bigInt(0n, 2n ** 64n - 1n);
const price = fc.bigInt(1n, 2n ** 100n);
const range = fc.tuple(price, price, price, price).map(([a, b, c, d]) => {
  const [low = a, ...rest] = [a, b, c, d].sort((one, two) => (one < two ? -1 : 1));
  return prices(b, rest.at(-1), low, c);
});

const candleDraft = fc.record({
  bucket: fc.nat({ max: (2 * DAY_MS) / 30_000 }),
  quote: fc.option(range),
  usd: fc.option(range),
  amounts: fc.tuple(amount, amount, amount, amount),
  counts: fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000)),
  supplyRaw: fc.option(amount),
  isFinal: fc.boolean(),
  slot: fc.nat(10 ** 9),
});

const swapDraft = fc.record({
  offsetMs: fc.nat({ max: 40_000 }),
  isFirstPool: fc.boolean(),
  setsTokenPrice: fc.boolean(),
  isBuy: fc.boolean(),
  price: fc.option(price),
  priceUsd: fc.option(price),
  valueUsd: fc.option(amount),
  base: amount,
  quote: amount,
  exclusion: fc.option(fc.constantFrom<PriceExclusion>('dust', 'spike', 'sandwich_leg')),
});

describe('candles computed in SQL', () => {
  let folder: string;
  let plane: DataPlane;
  let writer: SlotWriter;
  let serial = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'candle-sql-'));
    plane = await openDataPlane({ dataDir: folder });
    writer = new SlotWriter(plane.writer);
  });

  afterAll(async () => {
    await plane.close();
    rmSync(folder, { recursive: true });
  });

  test('equal those merged in TypeScript, for every interval', async () => {
    const unique = fc.uniqueArray(candleDraft, { selector: ({ bucket }) => bucket, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(unique, async (drafts) => {
        const scope = address(`scope ${serial++}`);
        const candles = drafts
          .sort((one, other) => one.bucket - other.bucket)
          .map((draft) => toCandle(scope, draft));
        await writer.writeBatch({ slots: [], changes: [buildChanges(1, { candles })], epoch: 1 });
        const stored = new StoredCandles(plane.fast, { epoch: 1 });
        for (const intervalMs of [30_000, MINUTE_MS, 15 * MINUTE_MS, 240 * MINUTE_MS, DAY_MS]) {
          const found = await stored.read({
            scope,
            fromMs: START_MS,
            toMs: START_MS + 4 * DAY_MS,
            intervalMs,
          });
          expect(found).toEqual(mergeCandles(candles, intervalMs));
        }
      }),
      { numRuns: 12 },
    );
  });

  test('finer than the stored ones equal those of the fold, for a pool and for a mint', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(swapDraft, { maxLength: 30 }), async (drafts) => {
        const mint = address(`mint ${serial}`);
        const [first, second] = [address(`first ${serial}`), address(`second ${serial}`)];
        serial++;
        const swaps = drafts
          .sort((one, other) => one.offsetMs - other.offsetMs)
          .map((draft, index) => toSwap(draft.isFirstPool ? first : second, mint, draft, index));
        const changes = buildChanges(1, {
          swaps,
          pools: [buildPool(first, mint), buildPool(second, mint)],
        });
        await writer.writeBatch({ slots: [], changes: [changes], epoch: 1 });
        const stored = new StoredCandles(plane.fast, { epoch: 1 });
        for (const scope of [first, mint]) {
          const ofScope = swaps.filter(({ swap }) => scope === mint || swap.pool === scope);
          const found = await stored.read({
            scope,
            fromMs: START_MS,
            toMs: START_MS + MINUTE_MS,
            intervalMs: 5_000,
          });
          expect(found).toEqual(
            candlesOfSwaps(ofScope, {
              scope,
              intervalMs: 5_000,
              supplyRaw: null,
              settledUntilMs: 0,
            }),
          );
        }
      }),
      { numRuns: 15 },
    );
  });
});

type CandleDraft = typeof candleDraft extends fc.Arbitrary<infer Draft> ? Draft : never;
type SwapDraft = typeof swapDraft extends fc.Arbitrary<infer Draft> ? Draft : never;

function toCandle(scope: Address, draft: CandleDraft): Candle {
  const [base, quote, usd, priced] = draft.amounts;
  const [trades, buys, sells] = draft.counts;
  return buildCandle(scope, START_MS + draft.bucket * 30_000, {
    quote: draft.quote,
    usd: draft.usd,
    baseVolumeRaw: base as RawAmount,
    quoteVolumeRaw: quote as RawAmount,
    volumeUsd: usd as UsdNano,
    pricedBaseVolumeRaw: priced as RawAmount,
    pricingBaseRaw: priced as RawAmount,
    pricingUsd: usd as UsdNano,
    trades,
    buys,
    sells,
    supplyRaw: draft.supplyRaw as RawAmount | null,
    isFinal: draft.isFinal,
    slot: draft.slot as Slot,
  });
}

function toSwap(pool: Address, mint: Address, draft: SwapDraft, index: number): PricedSwap {
  const sign = draft.isBuy ? 1n : -1n;
  return buildSwap(pool, `${pool} ${index}`, {
    slot: index as Slot,
    timeMs: START_MS + draft.offsetMs,
    price: draft.price as PriceE18 | null,
    priceUsd: draft.priceUsd as PriceE18 | null,
    valueUsd: draft.valueUsd as UsdNano | null,
    exclusion: draft.exclusion,
    setsTokenPrice: draft.setsTokenPrice,
    swap: {
      baseMint: mint,
      side: draft.isBuy ? 'buy' : 'sell',
      poolBaseDelta: (-sign * draft.base) as RawAmount,
      poolQuoteDelta: (sign * draft.quote) as RawAmount,
    },
  });
}

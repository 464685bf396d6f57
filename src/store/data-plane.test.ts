import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildBundle,
  buildCandle,
  buildChanges,
  buildFacts,
  buildPool,
  buildSwap,
  buildToken,
  buildTransactionFacts,
  prices,
} from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { startClickHouseHttp } from '../../tests/support/clickhouse-http.ts';
import type { Candle, PriceExclusion } from '../model/derived.ts';
import { StoreError } from '../model/errors.ts';
import type { Lamports, PriceE18, RawAmount, Slot, UsdNano } from '../model/units.ts';
import { type DataPlane, type DataPlaneLocation, openDataPlane } from './data-plane.ts';
import { Epochs } from './epochs.ts';
import { type BundleOrder, BundlePages } from './reads/bundles.ts';
import { StoredCandles } from './reads/candles.ts';
import { StoredRecords } from './reads/records.ts';
import { SlotLog } from './reads/slot-log.ts';
import { SlotWriter } from './slot-writer.ts';

interface Place {
  readonly location: DataPlaneLocation;
  close(): Promise<void>;
}

/** Both ways to the engine; what follows must hold for each. */
const transports: readonly (readonly [string, (folder: string) => Promise<Place>])[] = [
  ['in this process', async (dataDir) => ({ location: { dataDir }, close: async () => undefined })],
  [
    'over HTTP',
    async (folder) => {
      const server = await startClickHouseHttp(folder);
      return {
        location: { url: server.url, username: 'default', password: '' },
        close: server.close,
      };
    },
  ],
];

describe.each(transports)('the data plane %s', (_, open) => {
  let folder: string;
  let place: Place;
  let plane: DataPlane;
  let writer: SlotWriter;
  const visible = { epoch: 1 };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'data-plane-'));
    place = await open(folder);
    plane = await openDataPlane(place.location);
    writer = new SlotWriter(plane.writer);
  });

  afterAll(async () => {
    await plane.close();
    await place.close();
    rmSync(folder, { recursive: true });
  });

  async function countOf(table: string): Promise<number> {
    const [row] = await plane.heavy.rows<{ n: string }>(`SELECT count() AS n FROM ${table} FINAL`);
    return Number(row?.n);
  }

  test('takes any text and any integer as a parameter, unchanged', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\\', "'", '\t', '\n', '\r', '\0', ';', '{s:String}', 'n'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n), async (s, n) => {
        const [row] = await plane.fast.rows(
          'SELECT base64Encode({s:String}) AS s, {n:Int128} AS n',
          { s, n },
        );
        expect(row).toEqual({ s: Buffer.from(s).toString('base64'), n: n.toString() });
      }),
      {
        numRuns: 60,
        examples: [
          ['\\N', 0n],
          ["' OR 1=1 --", 1n],
          ['\\', -1n],
        ],
      },
    );
  });

  test('stores text and integers of every width, unchanged', async () => {
    const pool = address('widths');
    const name = 'tab\tline\nback\\slash "quote" é😀 \\N null';
    const big = (2n ** 127n - 1n) as RawAmount;
    const price = (2n ** 255n - 1n) as PriceE18;
    const swap = buildSwap(pool, 'widths', {
      price,
      priceUsd: (-price - 1n) as PriceE18,
      swap: { poolBaseDelta: big, poolQuoteDelta: (-big - 1n) as RawAmount },
    });
    const token = buildToken(address('widths'), { name });
    await writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { swaps: [swap], tokens: [token] })],
      epoch: 1,
    });
    const [row] = await plane.fast.rows(
      'SELECT price, price_usd, pool_base_delta, pool_quote_delta FROM swaps WHERE pool = {pool:String}',
      { pool },
    );
    expect(row).toEqual({
      price: price.toString(),
      price_usd: (-price - 1n).toString(),
      pool_base_delta: big.toString(),
      pool_quote_delta: (-big - 1n).toString(),
    });
    const [named] = await plane.fast.rows('SELECT name FROM tokens WHERE mint = {mint:String}', {
      mint: token.mint,
    });
    expect(named).toEqual({ name });
  });

  test('stores a price beyond 255 bits as unknown and goes on', async () => {
    const pool = address('absurd');
    const swap = buildSwap(pool, 'absurd', { price: (2n ** 255n) as PriceE18 });
    const candle = buildCandle(pool, 0, { quote: prices(1n, 2n ** 255n, 1n, 1n) });
    await writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { swaps: [swap], candles: [candle] })],
      epoch: 1,
    });
    const [row] = await plane.fast.rows('SELECT price FROM swaps WHERE pool = {pool:String}', {
      pool,
    });
    expect(row).toEqual({ price: null });
    const candles = new StoredCandles(plane.fast, visible);
    expect(await candles.lastBefore(pool, 1)).toMatchObject({ quote: null, usd: prices(300n) });
  });

  test('is the same after a batch was written twice', async () => {
    const pool = address('twice');
    const tables = ['slot_log', 'swaps', 'swaps_by_wallet', 'candles', 'tokens', 'pools'];
    const batch = {
      slots: [buildFacts(700_001), buildFacts(700_002)],
      changes: [
        buildChanges(700_001, {
          // Two pools within one instruction, then another transaction.
          swaps: [buildSwap(pool, 'one'), buildSwap(address('hop'), 'one')],
          candles: [buildCandle(pool, 0)],
          tokens: [buildToken(address('twice'))],
          pools: [buildPool(pool, address('twice'))],
        }),
        buildChanges(700_002, { swaps: [buildSwap(pool, 'two', { txIndex: 1 })] }),
      ],
      epoch: 1,
    };
    const before = await Promise.all(tables.map(countOf));
    await writer.writeBatch(batch);
    const once = await Promise.all(tables.map(countOf));
    expect(once.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 3, 3, 1, 1, 1]);
    await writer.writeBatch(batch);
    expect(await Promise.all(tables.map(countOf))).toEqual(once);
  });

  test('keeps the latest of several states of a key, within a batch and across batches', async () => {
    const mint = address('states');
    const records = new StoredRecords(plane.fast, visible);
    const state = (slot: number, symbol: string) =>
      buildChanges(slot, { tokens: [buildToken(mint, { symbol, slot: slot as Slot })] });
    await writer.writeBatch({ slots: [], changes: [state(10, 'A'), state(11, 'B')], epoch: 1 });
    expect((await records.token(mint))?.symbol).toBe('B');
    await writer.writeBatch({ slots: [], changes: [state(12, 'C')], epoch: 1 });
    expect((await records.token(mint))?.symbol).toBe('C');
    await writer.writeBatch({ slots: [], changes: [state(10, 'A'), state(11, 'B')], epoch: 1 });
    expect((await records.token(mint))?.symbol).toBe('C');
    expect(await records.token(address('nobody'))).toBeNull();
  });

  test('finds a pool as it was written', async () => {
    const pool = buildPool(address('found'), address('mint'), {
      price: 5n as PriceE18,
      buyVolumeUsd: (2n ** 70n) as UsdNano,
      reserves: {
        base: (2n ** 64n) as RawAmount,
        quote: 1n as RawAmount,
        virtualBase: null,
        virtualQuote: 0n as RawAmount,
      },
    });
    await writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { pools: [pool] })],
      epoch: 1,
    });
    expect(await new StoredRecords(plane.fast, visible).pool(pool.pool)).toEqual(pool);
  });

  describe('the log', () => {
    test('is read in slot order, whatever the order of writing, across chunks', async () => {
      const slots = Array.from({ length: 150 }, (_, index) => 900_000 + ((index * 37) % 150) * 2);
      await writer.writeBatch({
        slots: slots.map((slot) => buildFacts(slot)),
        changes: [],
        epoch: 1,
      });
      const read: number[] = [];
      for await (const facts of new SlotLog(plane.heavy).read(900_000)) read.push(facts.slot);
      expect(read).toEqual(Array.from({ length: 150 }, (_, index) => 900_000 + index * 2));
    });

    test('has a slot in its most complete form', async () => {
      const log = new SlotLog(plane.heavy);
      const loose = (words: string[]) =>
        buildFacts(800_000, {
          isWhole: false,
          blockTimeMs: null,
          transactions: words.map((word) => buildTransactionFacts(word)),
        });
      const write = (facts: ReturnType<typeof loose>) =>
        writer.writeBatch({ slots: [facts], changes: [], epoch: 1 });
      await write(loose(['a', 'b']));
      await write(loose(['a']));
      expect(await log.find(800_000)).toEqual(loose(['a', 'b']));
      await write(buildFacts(800_000));
      await write(loose(['a', 'b', 'c']));
      expect(await log.find(800_000)).toEqual(buildFacts(800_000));
      expect(await log.find(800_001)).toBeNull();
    });
  });

  describe('candles', () => {
    const pool = address('candles');
    const minute = 60_000;
    // The second has no price, the third no known supply and only a USD price.
    const stored: Candle[] = [
      buildCandle(pool, 0, { quote: prices(5n, 9n, 4n, 6n), usd: prices(50n, 90n, 40n, 60n) }),
      buildCandle(pool, 30_000, { quote: null, usd: null, volumeUsd: 1n as UsdNano, sells: 2 }),
      buildCandle(pool, 90_000, { quote: null, usd: prices(70n, 95n, 30n, 80n), supplyRaw: null }),
      buildCandle(pool, 300_000, { isFinal: false }),
    ];

    beforeAll(async () => {
      await writer.writeBatch({
        slots: [],
        changes: [buildChanges(400, { candles: stored })],
        epoch: 1,
      });
    });

    test('are returned as they were stored', async () => {
      const candles = new StoredCandles(plane.fast, visible);
      const range = { scope: pool, fromMs: 0, toMs: 330_000, intervalMs: 30_000 };
      expect(await candles.read(range)).toEqual(stored);
      expect(await candles.read({ ...range, fromMs: 30_000, toMs: 300_000 })).toEqual([
        stored[1],
        stored[2],
      ]);
    });

    test('merge to a coarser interval: first open, last close, extremes, sums', async () => {
      const candles = new StoredCandles(plane.fast, visible);
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
          trades: 3,
          buys: 3,
          sells: 2,
          supplyRaw: null,
          slot: 90,
        },
      ]);
    });

    test('take the place of an earlier state of themselves', async () => {
      const scope = address('replaced');
      const candles = new StoredCandles(plane.fast, visible);
      for (const [slot, trades] of [
        [5, 1],
        [7, 3],
        [6, 2],
      ] as const) {
        const candle = buildCandle(scope, 30_000, { trades });
        await writer.writeBatch({
          slots: [],
          changes: [buildChanges(slot, { candles: [candle] })],
          epoch: 1,
        });
      }
      const range = { scope, fromMs: 0, toMs: minute, intervalMs: minute };
      expect((await candles.read(range)).map(({ trades }) => trades)).toEqual([3]);
      expect((await candles.lastBefore(scope, minute))?.trades).toBe(3);
    });

    test('have a last one before a time', async () => {
      const candles = new StoredCandles(plane.fast, visible);
      expect(await candles.lastBefore(pool, 300_001)).toEqual(stored[3]);
      expect(await candles.lastBefore(pool, 300_000)).toEqual(stored[2]);
      expect(await candles.lastBefore(pool, 0)).toBeNull();
    });

    test('of a second come from the swaps, with what the stored candle knows', async () => {
      const fine = address('fine');
      const candles = new StoredCandles(plane.fast, visible);
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
          price: price as PriceE18,
          priceUsd: (price * 10n) as PriceE18,
        });
      const swaps = [
        at(1_000, 7, 4n),
        at(1_000, 3, 5n),
        at(1_400, 0, 9n, 'dust'),
        at(1_500, 0, 99n, 'quarantined'),
        at(2_999, 0, 3n),
      ];
      const around = buildCandle(fine, 0, { supplyRaw: 77n as RawAmount, isFinal: true });
      await writer.writeBatch({
        slots: [],
        changes: [buildChanges(100, { swaps, candles: [around] })],
        epoch: 1,
      });
      const range = { scope: fine, fromMs: 1_000, toMs: 3_000, intervalMs: 1_000 };
      const expected = { ...around, slot: 100, isFinal: true };
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
          trades: 3,
          buys: 3,
        },
        { ...expected, openTimeMs: 2_000, quote: prices(3n), usd: prices(30n) },
      ]);
    });

    test('of a mint count all its pools and are priced by the primary one', async () => {
      const mint = address('two pools');
      const [primary, other] = [address('primary'), address('other')];
      const swap = (scope: typeof primary, priceUsd: bigint) =>
        buildSwap(scope, `of ${scope}`, {
          timeMs: 1_000,
          priceUsd: priceUsd as PriceE18,
          swap: { baseMint: mint },
        });
      await writer.writeBatch({
        slots: [],
        changes: [
          buildChanges(100, {
            swaps: [swap(primary, 8n), swap(other, 9n)],
            pools: [buildPool(primary, mint), buildPool(other, mint)],
            tokens: [buildToken(mint, { primaryPool: primary })],
          }),
        ],
        epoch: 1,
      });
      const range = { scope: mint, fromMs: 0, toMs: 5_000, intervalMs: 5_000 };
      expect(await new StoredCandles(plane.fast, visible).read(range)).toMatchObject([
        { trades: 2, volumeUsd: 6_000n, quote: null, usd: prices(8n), supplyRaw: null },
      ]);
    });

    test('of an interval that does not fit the stored ones are refused', async () => {
      const range = { scope: pool, fromMs: 0, toMs: 1, intervalMs: 7_000 };
      await expect(new StoredCandles(plane.fast, visible).read(range)).rejects.toThrow(RangeError);
    });
  });

  describe('bundled transactions', () => {
    const mint = address('bundled');
    // By slot, index and owner; c and d tie on everything but the owner.
    const items = [
      buildBundle(mint, 'a', { slot: 5 as Slot, txIndex: 1, lamports: 10n as Lamports }),
      buildBundle(mint, 'b', { slot: 5 as Slot, txIndex: 2, lamports: 30n as Lamports }),
      buildBundle(mint, 'c', { slot: 6 as Slot, txIndex: 0, lamports: 20n as Lamports }),
      buildBundle(mint, 'd', { slot: 6 as Slot, txIndex: 0, lamports: 20n as Lamports }),
    ];
    const page = (
      orderBy: BundleOrder,
      orderDir: 'asc' | 'desc',
      given: { offset?: number; limit?: number; asOfSlot?: Slot } = {},
    ) =>
      new BundlePages(plane.fast, visible).page({
        mint,
        orderBy,
        orderDir,
        offset: 0,
        limit: 20,
        asOfSlot: null,
        ...given,
      });
    const namesOf = ({ items }: Awaited<ReturnType<typeof page>>) =>
      items.map(({ owner }) => owner).join('');

    beforeAll(async () => {
      await writer.writeBatch({
        slots: [],
        changes: [buildChanges(6, { bundles: items.toReversed() })],
        epoch: 1,
      });
    });

    test.each([
      ['slot', 'asc', 'abcd'],
      ['slot', 'desc', 'cdab'],
      ['solana_amount', 'asc', 'acdb'],
      ['solana_amount', 'desc', 'bcda'],
      ['transaction_id', 'desc', 'dcba'],
      ['signing_address', 'asc', 'abcd'],
    ] as const)(
      'ordered by %s %s come as %s, ties by slot, index and signer',
      async (by, dir, names) => {
        expect(namesOf(await page(by, dir))).toBe(names);
      },
    );

    test('come in pages that neither repeat nor miss one', async () => {
      const pages = [0, 1, 2, 3].map((offset) => page('slot', 'desc', { offset, limit: 1 }));
      expect((await Promise.all(pages)).map(namesOf).join('')).toBe('cdab');
    });

    test('past the end are none, with the right total', async () => {
      expect(await page('slot', 'asc', { offset: 4 })).toEqual({ items: [], total: 4 });
      expect(await page('slot', 'asc', { limit: 0 })).toEqual({ items: [], total: 4 });
    });

    test('as of a slot are those up to it', async () => {
      expect(namesOf(await page('slot', 'asc', { asOfSlot: 5 as Slot }))).toBe('ab');
      expect(await page('slot', 'asc', { asOfSlot: 4 as Slot })).toEqual({ items: [], total: 0 });
    });

    test('carry signature, owner and lamports', async () => {
      expect((await page('slot', 'asc', { limit: 1 })).items).toEqual([
        { signature: 'a', owner: 'a', lamports: 10n },
      ]);
    });
  });

  describe('epochs', () => {
    const mint = address('epochs');
    const symbolAt = async (epoch: number) =>
      (await new StoredRecords(plane.fast, { epoch }).token(mint))?.symbol;
    const write = (epoch: number, symbol: string, slot: number) =>
      writer.writeBatch({
        slots: [],
        changes: [buildChanges(slot, { tokens: [buildToken(mint, { symbol })] })],
        epoch,
      });

    test('do not see each other while one is being written', async () => {
      await write(11, 'OLD', 50);
      await write(12, 'NEW', 40);
      expect([await symbolAt(11), await symbolAt(12)]).toEqual(['OLD', 'NEW']);
    });

    test('leave nothing of an abandoned attempt behind', async () => {
      const epochs = new Epochs(plane.heavy, plane.deployment);
      await epochs.prepare(12);
      expect([await symbolAt(11), await symbolAt(12)]).toEqual(['OLD', undefined]);
      await write(12, 'AGAIN', 40);
      expect(await symbolAt(12)).toBe('AGAIN');
    });

    test('go away once a newer one is complete, and the log stays', async () => {
      const slots = await countOf('slot_log');
      await new Epochs(plane.heavy, plane.deployment).retireBefore(12);
      await expect.poll(() => symbolAt(11)).toBeUndefined();
      expect(await symbolAt(12)).toBe('AGAIN');
      expect(await countOf('slot_log')).toBe(slots);
      expect(slots).toBeGreaterThan(0);
    });
  });

  test('refuses to write on after a failed write', async () => {
    const broken = new SlotWriter(plane.writer);
    const swap = buildSwap(address('big'), 'big', {
      swap: { poolBaseDelta: (2n ** 127n) as RawAmount },
    });
    const batch = { slots: [], changes: [buildChanges(9, { swaps: [swap] })], epoch: 1 };
    await expect(broken.writeBatch(batch)).rejects.toThrow(
      'Writing slot 9 and after (epoch 1) failed: 170141183460469231731687303715884105728 does not fit',
    );
    expect(broken.failed).toBeInstanceOf(StoreError);
    await expect(
      broken.writeBatch({ slots: [buildFacts(5)], changes: [], epoch: 1 }),
    ).rejects.toThrow('an earlier write failed');
    expect(await new SlotLog(plane.heavy).find(5)).toBeNull();
  });

  test.each([
    ['newer', { number: 2, name: 'later', checksum: 'x' }, 'written by a newer version'],
    ['different', { number: 1, name: 'first-tables', checksum: 'x' }, 'another migration 1'],
  ])('refuses data with a %s migration and says the way out', async (_, migration, sentence) => {
    const restore = await plane.writer.rows(
      'SELECT number, name, checksum, version FROM schema_migrations FINAL',
    );
    const [version] = restore as { version: string }[];
    const columns = ['number', 'name', 'checksum', 'version'];
    const row = [...Object.values(migration), 2 + Number(version?.version)];
    await plane.writer.insert('schema_migrations', columns, Buffer.from(JSON.stringify(row)));
    const failure = openDataPlane(place.location);
    await expect(failure).rejects.toThrow(StoreError);
    await expect(failure).rejects.toThrow(sentence);
    await expect(failure).rejects.toThrow('or name another data folder');
    await plane.writer.command(
      'ALTER TABLE schema_migrations DELETE WHERE version > 1 SETTINGS mutations_sync = 2',
    );
  });
});

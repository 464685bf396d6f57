import { describe, expect, test } from 'vitest';
import {
  buildCandle,
  buildChanges,
  buildFacts,
  buildPool,
  buildSwap,
  buildToken,
  prices,
} from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { StoreError } from '../../model/errors.ts';
import { asPriceE18, asRawAmount, asSlot } from '../../model/units.ts';
import { StoredCandles } from '../reads/candles.ts';
import { StoredRecords } from '../reads/records.ts';
import { SlotLog } from '../reads/slot-log.ts';
import type { Lane } from '../sql/lane.ts';
import { SlotWriter } from './slot-writer.ts';

describe.each(transports)('writing slots %s', (_, open) => {
  const opened = useDataPlane(open);
  const visible = { epoch: 1 };

  async function countOf(table: string): Promise<number> {
    const [row] = await opened.plane.heavy.rows<{ n: string }>(
      `SELECT count() AS n FROM ${table} FINAL`,
    );
    return Number(row?.n);
  }

  test('gives the same result when a batch is written twice', async () => {
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
    await opened.writer.writeBatch(batch);
    const once = await Promise.all(tables.map(countOf));
    expect(once.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 3, 3, 1, 1, 1]);
    await opened.writer.writeBatch(batch);
    expect(await Promise.all(tables.map(countOf))).toEqual(once);
  });

  test('keeps the latest of several states of a key, within a batch and across batches', async () => {
    const mint = address('states');
    const records = new StoredRecords(opened.plane.fast, visible);
    const state = (slot: number, symbol: string) =>
      buildChanges(slot, { tokens: [buildToken(mint, { symbol, slot: asSlot(slot) })] });
    await opened.writer.writeBatch({
      slots: [],
      changes: [state(10, 'A'), state(11, 'B')],
      epoch: 1,
    });
    expect((await records.token(mint))?.symbol).toBe('B');
    await opened.writer.writeBatch({ slots: [], changes: [state(12, 'C')], epoch: 1 });
    expect((await records.token(mint))?.symbol).toBe('C');
    await opened.writer.writeBatch({
      slots: [],
      changes: [state(10, 'A'), state(11, 'B')],
      epoch: 1,
    });
    expect((await records.token(mint))?.symbol).toBe('C');
    expect(await records.token(address('nobody'))).toBeNull();
  });

  test('stores a swap without a trader for its pool, and for no wallet', async () => {
    const pool = address('nobody made it');
    const before = await countOf('swaps_by_wallet');
    const swap = buildSwap(pool, 'burned', { swap: { trader: null } });
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(700_003, { swaps: [swap] })],
      epoch: 1,
    });
    expect(await countOf('swaps_by_wallet')).toBe(before);
    const candles = new StoredCandles(opened.plane.heavy, visible);
    const stored = await candles.swaps(pool, 0, 200_000);
    expect(stored.map((each) => each.swap.trader)).toEqual([null]);
  });

  test('stores a price beyond 255 bits as unknown and continues', async () => {
    const pool = address('absurd');
    const swap = buildSwap(pool, 'absurd', { price: asPriceE18(2n ** 255n) });
    const candle = buildCandle(pool, 0, { quote: prices(1n, 2n ** 255n, 1n, 1n) });
    await opened.writer.writeBatch({
      slots: [],
      changes: [buildChanges(100, { swaps: [swap], candles: [candle] })],
      epoch: 1,
    });
    const [row] = await opened.plane.fast.rows(
      'SELECT price FROM swaps WHERE pool = {pool:String}',
      {
        pool,
      },
    );
    expect(row).toEqual({ price: null });
    const candles = new StoredCandles(opened.plane.fast, visible);
    expect(await candles.lastBefore(pool, 1)).toMatchObject({ quote: null, usd: prices(300n) });
  });

  test('refuses further writes after a failed write', async () => {
    const broken = new SlotWriter(opened.plane.writer);
    const swap = buildSwap(address('big'), 'big', {
      swap: { poolBaseDelta: asRawAmount(2n ** 127n) },
    });
    const batch = { slots: [], changes: [buildChanges(9, { swaps: [swap] })], epoch: 1 };
    await expect(broken.writeBatch(batch)).rejects.toThrow(
      'Writing slot 9 and after (epoch 1) failed: 170141183460469231731687303715884105728 does not fit',
    );
    expect(broken.failed).toBeInstanceOf(StoreError);
    await expect(
      broken.writeBatch({ slots: [buildFacts(5)], changes: [], epoch: 1 }),
    ).rejects.toThrow('an earlier write failed');
    expect(await new SlotLog(opened.plane.heavy).find(5)).toBeNull();
  });
});

test('stored rows are not written again when only a later step failed', async () => {
  const inserted: string[] = [];
  const insert = async (table: string) => {
    inserted.push(table);
  };
  let failures = 2;
  const afterStored = async () => {
    if (failures-- > 0) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  };
  const writer = new SlotWriter({ insert } as unknown as Lane, async () => undefined, afterStored);
  const batch = { slots: [buildFacts(5)], changes: [], epoch: 1 };
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(writer.writeBatch(batch)).rejects.toThrow('too many open files');
  }
  await writer.writeBatch(batch);
  expect(inserted).toEqual(['slot_log']);
  expect(writer.failed).toBeNull();
  await writer.writeBatch(batch);
  expect(inserted).toEqual(['slot_log', 'slot_log']);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_CANDLE_MS, type SlotChanges } from '../src/model/derived.ts';
import { type Address, asSlot } from '../src/model/units.ts';
import type { CandleView } from '../src/store/reads/candles.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { buildCandle, buildChanges, buildSwap } from '../tests/support/build-records.ts';
import { address } from '../tests/support/build-transaction.ts';
import { itemAt } from './item-at.ts';
import { fixed, integer, printTable } from './table.ts';

const POOLS = 200;
const BATCH_SWAPS = 10_000;
const START_MS = 1_700_000_000_000;
/** A batch covers half an hour of chain time, so that the candles of a pool span days. */
const BATCH_MS = 1_800_000;
const READS = 200;
const INTERVALS_MS = [30_000, 60_000, 300_000, 900_000, 3_600_000];

/** Writes swaps with their candles, then reads 500 candles of a pool at every interval. */
export async function benchCandles(swaps: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const store = await openStore({ dataDir });
  const pools = Array.from({ length: POOLS }, (_, index) => address(`bench pool ${index}`));
  const batches = Math.ceil(swaps / BATCH_SWAPS);
  const start = performance.now();
  for (let batch = 0; batch < batches; batch++) {
    await store.writer.writeBatch({ slots: [], changes: [changesOf(batch, pools)], epoch: 1 });
  }
  const seconds = (performance.now() - start) / 1_000;
  store.cursor.write({ epoch: 1, slot: asSlot(batches), isDirty: false });
  const rows: string[][] = [];
  for (const intervalMs of INTERVALS_MS) {
    for (const view of ['all', 'organic'] as const) {
      const endMs = START_MS + batches * BATCH_MS;
      rows.push(await readCandles(store, pools, { intervalMs, endMs, view }));
    }
  }
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
  printTable(`embedded store, ${integer(swaps)} swaps over ${POOLS} pools`, [
    ['measure', 'value'],
    ['swaps/s written (swaps, by wallet, candles), fsynced', integer(swaps / seconds)],
  ]);
  printTable('reading the last 500 candles of a pool', [
    ['interval', 'candles', 'p50 ms', 'p99 ms'],
    ...rows,
  ]);
}

function changesOf(batch: number, pools: readonly Address[]): SlotChanges {
  const slot = batch + 1;
  const swaps = Array.from({ length: BATCH_SWAPS }, (_, index) => {
    const timeMs = START_MS + batch * BATCH_MS + Math.floor((index / BATCH_SWAPS) * BATCH_MS);
    const pool = itemAt(pools, (index * 7 + batch) % POOLS);
    return buildSwap(pool, `${batch}/${index}`, { slot: asSlot(slot), txIndex: index, timeMs });
  });
  const candles = pools.flatMap((pool) =>
    Array.from({ length: BATCH_MS / BASE_CANDLE_MS }, (_, index) =>
      buildCandle(pool, START_MS + batch * BATCH_MS + index * BASE_CANDLE_MS, {
        slot: asSlot(slot),
      }),
    ),
  );
  return buildChanges(slot, { timeMs: START_MS + batch * BATCH_MS, swaps, candles });
}

interface Reading {
  readonly intervalMs: number;
  readonly endMs: number;
  readonly view: CandleView;
}

async function readCandles(
  store: Store,
  pools: readonly Address[],
  { intervalMs, endMs, view }: Reading,
): Promise<string[]> {
  const samples: number[] = [];
  let count = 0;
  for (let read = 0; read < READS + 20; read++) {
    const scope = itemAt(pools, (read * 31) % POOLS);
    const start = performance.now();
    const candles = await store.candles.read({
      scope,
      isPool: true,
      intervalMs,
      fromMs: Math.floor((endMs - 500 * intervalMs) / intervalMs) * intervalMs,
      toMs: endMs,
      view,
    });
    if (read >= 20) samples.push(performance.now() - start);
    count = Math.max(count, candles.length);
  }
  samples.sort((one, other) => one - other);
  const at = (share: number) => fixed(samples[Math.floor(samples.length * share)] ?? Number.NaN, 1);
  return [`${intervalMs / 1_000} s, ${view}`, String(count), at(0.5), at(0.99)];
}

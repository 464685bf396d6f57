import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CurrentIndicators } from '../src/ingestion/current-indicators.ts';
import { UnwrittenRows } from '../src/ingestion/unwritten-rows.ts';
import { type Address, asSlot } from '../src/model/units.ts';
import { openStore } from '../src/store/store.ts';
import { buildChanges, buildMinute } from '../tests/support/build-records.ts';
import { address } from '../tests/support/build-transaction.ts';
import { itemAt } from './item-at.ts';
import { fixed, integer, printTable } from './table.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const START_MS = 1_700_006_400_000;
const POOLS = 20;
const DAYS = 7;
const READS = 100;
/** Each interval with the longest range that is stored here. */
const RANGES = [
  { interval: '1m', minutes: 1, days: 1 },
  { interval: '5m', minutes: 5, days: 7 },
  { interval: '1h', minutes: 60, days: 7 },
  { interval: '1d', minutes: 1_440, days: 7 },
];

/** Reads the indicators of a pool that was traded in every minute. */
export async function benchIndicatorHistory(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const store = await openStore({ dataDir });
  const pools = Array.from({ length: POOLS }, (_, index) => address(`history pool ${index}`));
  for (let day = 0; day < DAYS; day++) {
    const startMs = START_MS + day * DAY_MINUTES * MINUTE_MS;
    const indicators = pools.flatMap((pool) => dayOf(pool, startMs));
    const changes = [buildChanges(day + 1, { indicators })];
    await store.writer.writeBatch({ slots: [], changes, epoch: 1 });
  }
  store.cursor.write({ epoch: 1, slot: asSlot(DAYS), isDirty: false });
  const reads = new CurrentIndicators(store.indicators, new UnwrittenRows(() => []));
  const rows: string[][] = [];
  for (const { interval, minutes, days } of RANGES) {
    const toMs = START_MS + DAYS * DAY_MINUTES * MINUTE_MS;
    const range = { fromMs: toMs - days * DAY_MINUTES * MINUTE_MS, toMs, untilMs: toMs };
    const samples: number[] = [];
    let points = 0;
    for (let read = 0; read < READS; read++) {
      const pool = itemAt(pools, (read * 7) % POOLS);
      const start = performance.now();
      const found = await reads.history({ pool, ...range, intervalMs: minutes * MINUTE_MS });
      samples.push(performance.now() - start);
      points = found.length;
    }
    samples.sort((one, other) => one - other);
    const at = (share: number) => fixed(samples[Math.floor(READS * share)] ?? Number.NaN, 1);
    rows.push([interval, integer(points), at(0.5), at(0.99)]);
  }
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
  printTable('Indicators of a pool over time', [
    ['interval', 'points', 'p50 ms', 'p99 ms'],
    ...rows,
  ]);
}

function dayOf(pool: Address, startMs: number) {
  return Array.from({ length: DAY_MINUTES }, (_, index) =>
    buildMinute(pool, startMs + index * MINUTE_MS, { totalWallets: index }),
  );
}

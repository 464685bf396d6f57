import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SlotChanges } from '../src/model/derived.ts';
import { asSlot } from '../src/model/units.ts';
import { openControlPlane } from '../src/store/control/control-plane.ts';
import { CursorTable } from '../src/store/control/cursor.ts';
import { GapLedger } from '../src/store/control/gap-ledger.ts';
import { WriterFence } from '../src/store/control/writer-fence.ts';
import { dataFolderAt } from '../src/store/data-folder.ts';
import { openDataPlane } from '../src/store/data-plane.ts';
import { openStore } from '../src/store/store.ts';
import { PartRecord } from '../src/store/verification/part-record.ts';
import { SlotWriter } from '../src/store/writes/slot-writer.ts';
import {
  buildCandle,
  buildChanges,
  buildFacts,
  buildSwap,
} from '../tests/support/build-records.ts';
import { address } from '../tests/support/build-transaction.ts';
import { fixed, integer, printTable } from './table.ts';

/** The size in the log of a full block of a busy chain. */
const SLOT_BYTES = 30_000;
const START_MS = 1_700_000_000_000;
const POOLS = 200;

/** The cost of the record of parts per write, and the duration of a check of a large folder. */
export async function benchCheck(gigabytes: number): Promise<void> {
  printTable('the record of parts, per write', [
    [
      'batch',
      'writes',
      'rows written, ms',
      'parts observed, ms',
      'cursor with record, ms',
      'share',
    ],
    await recordCost('2 slots, 60 swaps', 60, 2, 30),
    await recordCost('500 slots, 10,000 swaps', 30, 500, 20),
  ]);
  await checkLarge(gigabytes);
}

async function recordCost(
  name: string,
  writes: number,
  slots: number,
  swapsPerSlot: number,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  const plane = await openDataPlane({ dataDir: join(folder, 'clickhouse') });
  const control = openControlPlane(join(folder, 'control.sqlite'));
  const record = new PartRecord(control, plane.writer);
  const ledger = { fence: WriterFence.take(control), gaps: new GapLedger(control) };
  const cursor = new CursorTable(control, { ...ledger, parts: record });
  const writer = new SlotWriter(plane.writer);
  const spent = { rows: 0, observed: 0, moved: 0 };
  for (let write = 0; write < writes; write++) {
    const first = write * slots + 1;
    const changes = Array.from({ length: slots }, (_, index) =>
      changesOf(first + index, swapsPerSlot),
    );
    const facts = changes.map(({ slot }) => buildFacts(slot));
    const startMs = performance.now();
    await writer.writeBatch({ slots: facts, changes, epoch: 1 });
    const writtenMs = performance.now();
    await record.observe();
    const observedMs = performance.now();
    cursor.write({ epoch: 1, slot: asSlot(first + slots - 1), isDirty: false });
    spent.rows += writtenMs - startMs;
    spent.observed += observedMs - writtenMs;
    spent.moved += performance.now() - observedMs;
  }
  await plane.close();
  control.close();
  rmSync(folder, { recursive: true, force: true });
  const share = spent.observed / (spent.rows + spent.observed + spent.moved);
  const each = (ms: number) => fixed(ms / writes, 2);
  const figures = [each(spent.rows), each(spent.observed), each(spent.moved)];
  return [name, String(writes), ...figures, `${fixed(100 * share, 1)} %`];
}

function changesOf(slot: number, count: number): SlotChanges {
  const timeMs = START_MS + slot * 400;
  const poolOf = (index: number) => address(`bench pool ${(slot * 7 + index) % POOLS}`);
  const swaps = Array.from({ length: count }, (_, index) =>
    buildSwap(poolOf(index), `${slot}/${index}`, { slot: asSlot(slot), txIndex: index, timeMs }),
  );
  const candles = swaps.map((_, index) => buildCandle(poolOf(index), timeMs - (timeMs % 30_000)));
  return buildChanges(slot, { swaps, candles });
}

async function checkLarge(gigabytes: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-'));
  try {
    await fillLog(dataDir, Math.ceil((gigabytes * 1e9) / SLOT_BYTES));
    const rows: string[][] = [];
    rows.push(await timedCheck(dataDir, 'comparisons alone', 0));
    rows.push(await timedCheck(dataDir, '--sample 10', 10_000));
    rows.push(await timedCheck(dataDir, '--sample 60', 60_000));
    rows.push(await timedCheck(dataDir, 'whole', null));
    printTable(
      `a check of a folder of ${integer(gigabytes)} GB of log, files in the system's cache as they are`,
      [['check', 'seconds', 'parts read', 'GB read', 'MB/s', 'findings'], ...rows],
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Incompressible blocks of bytes: a check reads the stored bytes and decodes nothing. */
async function fillLog(dataDir: string, slots: number): Promise<void> {
  const store = await openStore({ dataDir });
  await store.close();
  const plane = await openDataPlane({ dataDir: dataFolderAt(dataDir).engineFolder });
  const step = 20_000;
  for (let from = 0; from < slots; from += step) {
    await plane.heavy.command(
      'INSERT INTO slot_log (slot, version, is_whole, facts) SELECT number + 1, 281474976710656, ' +
        `true, randomString(${SLOT_BYTES}) FROM numbers(${from}, ${Math.min(step, slots - from)}) ` +
        'SETTINGS max_block_size = 2000',
    );
  }
  await plane.close();
  const marked = await openStore({ dataDir });
  const [first, last] = [asSlot(1), asSlot(slots)];
  marked.cursor.write({ epoch: 1, slot: last, isDirty: false }, [
    { state: 'held', from: first, to: last },
  ]);
  await marked.verification.adopt();
  await marked.close();
}

async function timedCheck(
  dataDir: string,
  name: string,
  budgetMs: number | null,
): Promise<string[]> {
  const store = await openStore({ dataDir });
  const startMs = performance.now();
  const { findings, read } = await store.verification.verify({
    budgetMs,
    nowMs: () => performance.now(),
  });
  const seconds = (performance.now() - startMs) / 1_000;
  await store.close();
  const rate = read.bytes === 0 ? '' : integer(read.bytes / 1e6 / seconds);
  const parts = `${read.parts} of ${read.partsTotal}`;
  const bytes = `${fixed(read.bytes / 1e9, 2)} of ${fixed(read.bytesTotal / 1e9, 2)}`;
  return [name, fixed(seconds, 2), parts, bytes, rate, String(findings.length)];
}

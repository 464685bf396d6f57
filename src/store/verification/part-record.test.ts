import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import { asSlot } from '../../model/units.ts';
import { openControlPlane } from '../control/control-plane.ts';
import { CursorTable } from '../control/cursor.ts';
import { GapLedger } from '../control/gap-ledger.ts';
import { WriterFence } from '../control/writer-fence.ts';
import { Lane } from '../sql/lane.ts';
import type { SqlSession } from '../sql/sql-session.ts';
import { PartRecord } from './part-record.ts';

/** A lane whose tables consist of these parts. */
function laneWith(parts: Record<string, string>): Lane {
  const unused = async () => undefined;
  const rows = async <Row>() =>
    Object.entries(parts).map(
      ([name, hash]) =>
        ({ table: 'swaps', name, rows: '1', bytes_on_disk: '1', hash_of_all_files: hash }) as Row,
    );
  const session: SqlSession = {
    rows,
    bytes: async () => new Uint8Array(),
    insert: unused,
    command: unused,
    close: unused,
  };
  return new Lane([session], { name: 'writer', waitingMax: 1, servesClients: false });
}

test('a repeated move of the cursor records the parts that the first attempt should have recorded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  const database = openControlPlane(join(folder, 'control.sqlite'));
  try {
    const record = new PartRecord(database, laneWith({ '1_1_1_0': 'x' }));
    let isFull = true;
    const parts = {
      save: () => {
        record.save();
        if (isFull) throw new StoreError('The disk is full.', { isTransient: true });
      },
      reload: () => record.reload(),
    };
    const [fence, gaps] = [WriterFence.take(database), new GapLedger(database)];
    const cursor = new CursorTable(database, { fence, gaps, parts });
    await record.observe();
    const move = () => cursor.write({ epoch: 1, slot: asSlot(7), isDirty: false });
    expect(move).toThrow('The disk is full.');
    expect(record.parts).toEqual([]);
    isFull = false;
    move();
    expect(record.parts.map(({ name }) => name)).toEqual(['1_1_1_0']);
    expect(record.isIntact).toBe(true);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
});

test('merged or replaced parts are recorded in their current state, and the sum follows', async () => {
  const database = openControlPlane(':memory:');
  const parts: Record<string, string> = { '1_1_1_0': 'one', '1_2_2_0': 'two' };
  const record = new PartRecord(database, laneWith(parts));
  const observed = async () => {
    await record.observe();
    record.save();
    const list = (kept: PartRecord) =>
      Object.fromEntries(kept.parts.map(({ name, hash }) => [name, hash]));
    // A new instance, as in the next start.
    const again = new PartRecord(database, laneWith(parts));
    expect(list(again)).toEqual(list(record));
    expect([record.isIntact, again.isIntact]).toEqual([true, true]);
    return list(record);
  };
  expect(await observed()).toEqual({ '1_1_1_0': 'one', '1_2_2_0': 'two' });
  parts['1_2_2_0'] = 'another';
  expect(await observed()).toEqual({ '1_1_1_0': 'one', '1_2_2_0': 'another' });
  for (const name of Object.keys(parts)) delete parts[name];
  parts['1_1_2_1'] = 'both';
  expect(await observed()).toEqual({ '1_1_2_1': 'both' });
  database.close();
});

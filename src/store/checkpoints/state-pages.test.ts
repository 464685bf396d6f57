import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ObjectMap } from '../../lib/object-map.ts';
import { PagePool } from '../../lib/pages/page-pool.ts';
import { plainFormat } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asSlot } from '../../model/units.ts';
import { createFileAccess } from './file-access.ts';
import type { FileRecordStore } from './file-record-store.ts';
import { openRecords } from './open-records.ts';
import { statePages } from './state-pages.ts';

const STARTS = 4;
const OBJECTS = 200;

/** Adds objects, stores a checkpoint, removes them, and stores another. Returns its sums. */
async function addAndRemove(store: FileRecordStore, sums: Uint32Array | null, slot: number) {
  const pages = new PagePool({ store: statePages(store), pagesMax: 1_000, objectBytesMax: 1e9 });
  const objects = new ObjectMap<{ text: string }>(plainFormat(), new UndoLog(64, pages), 'objects');
  if (sums !== null) pages.restoreSums(sums);
  let newest: Uint32Array = new Uint32Array();
  const checkpoint = async (at: number) => {
    store.begin();
    pages.beginCheckpoint();
    newest = pages.copySums();
    while (!pages.writeSome(1_000));
    const head = { slot: asSlot(at), blockhash: null, timeMs: at * 48_000, rules: 'rules' };
    await store.commit({ ...head, head: new Uint8Array() });
  };
  for (let id = 0; id < OBJECTS; id++) objects.set(id, { text: 'x'.repeat(500) });
  pages.advance();
  await checkpoint(slot);
  for (let id = 0; id < OBJECTS; id++) objects.delete(id);
  pages.advance();
  await checkpoint(slot + 1);
  expect(objects.size).toBe(0);
  return newest;
}

test('objects that were removed before a checkpoint are no records of it, however often it is opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'removed-objects-'));
  try {
    const counts: number[] = [];
    let sums: Uint32Array | null = null;
    for (let start = 0; start < STARTS; start++) {
      const opened = openRecords(createFileAccess(folder), { rules: 'rules' });
      if (opened.kind !== 'opened') throw new Error(opened.reason);
      sums = await addAndRemove(opened.store, sums, 1 + 2 * start);
      counts.push(opened.store.sizes().recordCount);
      opened.store.close();
    }
    const opened = openRecords(createFileAccess(folder), { rules: 'rules' });
    if (opened.kind !== 'opened') throw new Error(opened.reason);
    counts.push(opened.store.sizes().recordCount);
    opened.store.close();
    // Pages of the hashes and of the count alone.
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeLessThan(20);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { describe, expect, test, vi } from 'vitest';
import { UnreliableFiles } from '../../../tests/support/unreliable-files.ts';
import { StoreError } from '../../model/errors.ts';
import { DamagedRecordError } from '../../model/record-store.ts';
import { asSlot } from '../../model/units.ts';
import type { FileRecordStore } from './file-record-store.ts';
import { openRecords } from './open-records.ts';

const RECORDS = 1_000;
const CONTENT_BYTES = 100;
/** Header, content and padding. */
const RECORD_BYTES = 120;
const RECORDS_OF_FILE = 9_990;

function openedFrom(files: UnreliableFiles): FileRecordStore {
  const sizes = { segmentBytes: 8_192, pieceBytes: 64 };
  const opened = openRecords(files, { rules: '', sizes });
  if (opened.kind !== 'opened') throw new Error(opened.reason);
  return opened.store;
}

async function commit(store: FileRecordStore, slot: number): Promise<void> {
  store.begin();
  // An hour apart, so that only the newest two checkpoints are retained.
  const head = { slot: asSlot(slot * 9_000), blockhash: null, rules: '', head: new Uint8Array() };
  await store.commit({ ...head, timeMs: slot * 3_600_000 });
}

test('files stay within three times what is in use, however often records are replaced', async () => {
  const files = new UnreliableFiles();
  const store = openedFrom(files);
  // In two pieces each.
  for (let id = 0; id < RECORDS; id++) store.put(1, id, new Uint8Array(CONTENT_BYTES));
  await commit(store, 0);
  for (let slot = 1; slot <= 60; slot++) {
    // Every record that is not a multiple of nine is replaced at some time, in an order that leaves
    // some of each segment.
    for (let id = slot % 9; id < RECORDS; id += 9) {
      if (id % 9 !== 0) store.put(1, id, new Uint8Array(CONTENT_BYTES).fill(slot));
    }
    while (store.compact(1) > 0);
    await commit(store, slot);
    const { fileBytes, liveBytes } = store.sizes();
    expect(fileBytes).toBeLessThan(liveBytes * 3);
  }
  store.close();
  const next = openedFrom(files);
  for (let id = 0; id < RECORDS; id++) {
    const filling = id % 9 === 0 ? 0 : 60 - ((((60 - id) % 9) + 9) % 9);
    expect(next.read(1, id)?.[99], `record ${id}`).toBe(filling);
  }
});

test('a call reads a bounded number of bytes, and none when nothing is to be done', async () => {
  const files = new UnreliableFiles();
  const opened = openRecords(files, { rules: '', sizes: { segmentBytes: 1_000_000 } });
  if (opened.kind !== 'opened') throw new Error(opened.reason);
  const { store } = opened;
  for (let id = 0; id < 20_000; id++) store.put(1, id, new Uint8Array(CONTENT_BYTES));
  expect(store.compact(200_000)).toBe(0);
  for (let id = 0; id < 20_000; id++) if (id % 4 > 0) store.put(1, id, new Uint8Array(1));
  store.settle();
  let calls = 0;
  for (let read = store.compact(200_000); read > 0; read = store.compact(200_000)) {
    calls++;
    expect(read).toBeLessThanOrEqual(200_000);
  }
  // Two segments of a million bytes.
  expect(calls).toBeGreaterThanOrEqual(10);
});

test('a file that contains only leaves of the index is emptied by the next checkpoints', async () => {
  const files = new UnreliableFiles();
  const store = openedFrom(files);
  // A leaf each, so that most of the first files are bases of leaves.
  const replaceAll = (filling: number) => {
    for (let id = 0; id < 100 * 512; id += 512) store.put(1, id, new Uint8Array(40).fill(filling));
  };
  replaceAll(0);
  await commit(store, 0);
  const first = files.list().filter((name) => name.startsWith('segment-'));
  for (let slot = 1; slot <= 4; slot++) {
    replaceAll(slot);
    while (store.compact(1) > 0);
    await commit(store, slot);
  }
  expect(files.list().filter((name) => first.includes(name))).toEqual([]);
  const next = openedFrom(files);
  expect(next.read(1, 99 * 512)).toEqual(new Uint8Array(40).fill(4));
  expect([...next.check()].filter(({ kind }) => kind === 'finding')).toEqual([]);
});

test('pieces that are moved while a checkpoint is open are counted as in use where they were', async () => {
  const files = new UnreliableFiles();
  const store = openedFrom(files);
  // Eight pieces among records that are replaced, so that their file is emptied.
  store.put(1, 0, new Uint8Array(500));
  for (let version = 1; version <= 3; version++) {
    for (let id = 1; id < 200; id++) store.put(1, id, new Uint8Array(20).fill(version));
  }
  store.settle();
  store.begin();
  let read = 0;
  for (let size = store.compact(1); size > 0; size = store.compact(1)) read += size;
  expect(read).toBeGreaterThan(8_000);
  store.putAsOf(1, 0, new Uint8Array(510).fill(7));
  const head = { slot: asSlot(1), blockhash: null, timeMs: 0, rules: '', head: new Uint8Array() };
  expect(await store.commit(head)).toBe(true);
  store.close();
  const next = openedFrom(files);
  expect(next.read(1, 0)).toEqual(new Uint8Array(510).fill(7));
  for (let id = 0; id < 200; id++) next.delete(1, id);
  await commit(next, 2);
  expect(next.retained[0]).toMatchObject({ slot: 18_000, segments: [] });
});

/**
 * Compacts a file of which only the first and the last record are in use, after a byte of the content
 * of another of its records changed. Returns whether the file is still there, and the store.
 */
async function compactedWithDamageIn(record: number) {
  const files = new UnreliableFiles();
  const opened = openRecords(files, { rules: '', sizes: { segmentBytes: 1_200_000 } });
  if (opened.kind !== 'opened') throw new Error(opened.reason);
  const { store } = opened;
  for (let id = 0; id < RECORDS_OF_FILE; id++)
    store.put(1, id, new Uint8Array(CONTENT_BYTES).fill(1));
  store.settle();
  const [first = ''] = files.list().filter((name) => name.startsWith('segment-'));
  for (const filling of [2, 3]) {
    for (let id = 1; id < RECORDS_OF_FILE - 1; id++) {
      store.put(1, id, new Uint8Array(CONTENT_BYTES).fill(filling));
    }
  }
  await commit(store, 0);
  files.damage(first, (bytes) => {
    bytes.writeUInt8(7, record * RECORD_BYTES + CONTENT_BYTES);
    return bytes;
  });
  for (let slot = 1; slot <= 4; slot++) {
    while (store.compact(1) > 0);
    await commit(store, slot);
  }
  return { store, isThere: files.list().includes(first) };
}

test('damage in a record that is out of use does not keep its file', async () => {
  const { store, isThere } = await compactedWithDamageIn(4);
  expect(isThere).toBe(false);
  for (const id of [0, RECORDS_OF_FILE - 1]) expect(store.read(1, id)?.[0]).toBe(1);
});

test('a damaged record in use is not moved, and found by who reads it', async () => {
  const { store, isThere } = await compactedWithDamageIn(0);
  expect(isThere).toBe(true);
  expect(() => store.read(1, 0)).toThrow(DamagedRecordError);
});

describe('a part of a file that cannot be read', () => {
  /** Records of 40 bytes and a header of 16 in a file of 8 KiB. */
  const RECORDS_OF_SMALL_FILE = 146;
  const contentOf = (id: number, version: number) =>
    new Uint8Array(40).fill((id * 3 + version) % 256);

  /**
   * Four files, in the first of which one record is in use, the first, and five in each of the
   * others. The reads of bytes fail that are out of use in the first file, which is thus emptied
   * first.
   */
  function storeWithUnreadable(code: string) {
    const files = new UnreliableFiles();
    const store = openedFrom(files);
    const count = 4 * RECORDS_OF_SMALL_FILE;
    for (let id = 0; id < count; id++) store.put(1, id, contentOf(id, 1));
    store.settle();
    const names = files.list().filter((name) => name.startsWith('segment-'));
    expect(names).toHaveLength(4);
    const inUse = (id: number) =>
      id === 0 || (id >= RECORDS_OF_SMALL_FILE && id % RECORDS_OF_SMALL_FILE < 5);
    for (let id = 0; id < count; id++) if (!inUse(id)) store.put(1, id, contentOf(id, 2));
    files.unreadable = { name: names[0] ?? '', from: 4_096, to: 4_608, code };
    const expectContent = () => {
      for (let id = 0; id < count; id++) {
        expect(store.read(1, id), `record ${id}`).toEqual(contentOf(id, inUse(id) ? 1 : 2));
      }
    };
    const thereOf = () => names.filter((name) => files.list().includes(name));
    return { files, store, names, expectContent, thereOf };
  }

  test.each(['EIO', 'ENOENT'])(
    'costs neither checkpoints nor the room of other files (%s)',
    async (code) => {
      const { store, names, expectContent, thereOf } = storeWithUnreadable(code);
      expect(store.compactionFailure).toBeNull();
      for (let slot = 1; slot <= 4; slot++) {
        for (let call = 0; call < 10; call++) store.compact(1);
        await commit(store, slot);
        expect(store.retained[0]?.slot).toBe(slot * 9_000);
      }
      expect(thereOf()).toEqual(names.slice(0, 1));
      expect(store.compactionFailure?.message).toContain(code);
      expectContent();
    },
  );

  test('is read again after a number of calls, and its file is emptied once it can be', async () => {
    const { files, store, names, expectContent, thereOf } = storeWithUnreadable('EIO');
    for (let call = 0; call < 10; call++) store.compact(1);
    expect(store.compactionFailure).not.toBeNull();
    // While it fails it is not read with each call: a device may take seconds to say so.
    const read = vi.spyOn(files, 'read');
    for (let call = 0; call < 500; call++) store.compact(1);
    expect(read).not.toHaveBeenCalled();
    files.unreadable = null;
    for (let call = 0; call < 1_000; call++) store.compact(1);
    expect(store.compactionFailure).toBeNull();
    for (let slot = 1; slot <= 4; slot++) await commit(store, slot);
    expect(names).not.toEqual([]);
    expect(thereOf()).toEqual([]);
    expectContent();
  });

  test('is reported by who reads a record in it', () => {
    const { files, store, names } = storeWithUnreadable('EIO');
    files.unreadable = { name: names[0] ?? '', from: 0, to: 56, code: 'EIO' };
    for (let call = 0; call < 10; call++) store.compact(1);
    expect(() => store.read(1, 0)).toThrow(StoreError);
    expect(store.read(1, 1)).toEqual(contentOf(1, 2));
  });
});

import { expect, test } from 'vitest';
import type { CheckpointHead } from '../../model/record-store.ts';
import { asSlot } from '../../model/units.ts';
import { MemoryRecordStore } from './memory-record-store.ts';

const HEAD: CheckpointHead = {
  ...{ slot: asSlot(1), blockhash: null, timeMs: 0, rules: '', head: new Uint8Array() },
};

test('a store in memory returns copies of what was put, until it is deleted', () => {
  const store = new MemoryRecordStore();
  const bytes = Buffer.from('content');
  store.put(1, 2, bytes);
  bytes.fill(0);
  expect(store.read(1, 2)).toEqual(new Uint8Array(Buffer.from('content')));
  expect([store.read(2, 1), store.read(1, 3)]).toEqual([null, null]);
  expect(store.sizes()).toEqual({ recordCount: 1, fileBytes: 0, liveBytes: 7 });
  store.delete(1, 2);
  expect(store.read(1, 2)).toBe(null);
});

test('a store in memory refuses content as of the begin after newer content', async () => {
  const store = new MemoryRecordStore();
  expect(() => store.putAsOf(1, 1, new Uint8Array())).toThrow('no checkpoint is open');
  store.begin();
  store.putAsOf(1, 1, new Uint8Array(1));
  store.put(1, 1, new Uint8Array(2));
  expect(() => store.putAsOf(1, 1, new Uint8Array(3))).toThrow('has newer content already');
  store.delete(1, 2);
  expect(() => store.putAsOf(1, 2, new Uint8Array(3))).toThrow('has newer content already');
  expect(() => store.begin()).toThrow('a checkpoint is open already');
  expect(await store.commit(HEAD)).toBe(true);
  expect(store.read(1, 1)).toHaveLength(2);
  await expect(store.commit(HEAD)).rejects.toThrow('no checkpoint is open');
});

test('a store in memory removes content as of the begin, unless there is newer content', () => {
  const store = new MemoryRecordStore();
  expect(() => store.deleteAsOf(1, 1)).toThrow('no checkpoint is open');
  for (const id of [1, 2]) store.put(1, id, new Uint8Array(1));
  store.begin();
  store.deleteAsOf(1, 1);
  expect(store.read(1, 1)).toBe(null);
  store.put(1, 2, new Uint8Array(2));
  expect(() => store.deleteAsOf(1, 2)).toThrow('has newer content already');
});

test('numbers that no record can have are refused', () => {
  const store = new MemoryRecordStore();
  for (const [space, id] of [
    [-1, 0],
    [2 ** 16, 0],
    [0, -1],
    [0, 2 ** 40],
    [0.5, 0],
    [0, 1.5],
  ]) {
    expect(() => store.read(space ?? 0, id ?? 0)).toThrow(RangeError);
  }
  expect(store.read(2 ** 16 - 1, 2 ** 40 - 1)).toBe(null);
});

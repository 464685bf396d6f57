import { expect, test } from 'vitest';
import { LocationIndex } from './location-index.ts';
import type { RecordLocation } from './record-location.ts';
import { decodeLeafChanges, type StoredLeaf } from './stored-leaf.ts';

const locationAt = (segment: number): RecordLocation => ({
  ...{ segment, offsetBytes: 8, sizeBytes: 24, isIndirect: false },
});

/** An index whose leaves are stored in a list, in the order in which they are written. */
function createIndex(leavesMax: number) {
  const stored: StoredLeaf[] = [];
  let reads = 0;
  const index = new LocationIndex((_space, _leaf, { segment }) => {
    reads++;
    return stored[segment - 1] ?? expect.fail(`leaf ${segment} was never stored`);
  }, leavesMax);
  const store = (limit: number) =>
    index.writeChanged(limit, ({ kind, content }) => {
      if (content === null) return null;
      const location = locationAt(stored.length + 1);
      const changed = kind === 'leafChanges' ? decodeLeafChanges(content) : null;
      const base = changed === null ? null : stored[changed.base.segment - 1];
      stored.push({
        base: changed?.base ?? location,
        content: base?.content ?? new Uint8Array(content),
        changes: changed?.changes ?? [],
      });
      return location;
    });
  return { index, store, readCount: () => reads };
}

test('20 million records cost at most 170 MB', () => {
  const { index } = createIndex(50_000);
  for (let id = 0; id < 20_000_000; id += 512) index.set(4, id, locationAt(1));
  expect(index.residentBytes).toBeLessThan(170_000_000);
});

test('leaves beyond the limit leave memory once they are stored, and are loaded again', () => {
  const { index, store, readCount } = createIndex(256);
  for (let round = 1; round <= 4; round++) {
    for (let leaf = 0; leaf < 1_024; leaf++) index.set(round, leaf * 512, locationAt(leaf + 1));
    index.begin();
    expect(store(Number.POSITIVE_INFINITY)).toBe(true);
    index.end();
  }
  // 1,024 leaves of one round are changed at a time, and a quarter of them may stay.
  expect(index.residentBytes).toBeLessThanOrEqual(6 * 1_024 * 1_024);
  for (let round = 1; round <= 4; round++) {
    for (let leaf = 0; leaf < 1_024; leaf++) {
      expect(index.find(round, leaf * 512)).toEqual(locationAt(leaf + 1));
    }
  }
  expect(readCount()).toBeGreaterThan(3_000);
});

test('a leaf that is used again and again stays in memory while others come and go', () => {
  const { index, store, readCount } = createIndex(16);
  for (let leaf = 0; leaf < 400; leaf++) index.set(1, leaf * 512, locationAt(leaf + 1));
  index.begin();
  store(Number.POSITIVE_INFINITY);
  index.end();
  for (let leaf = 1; leaf < 400; leaf++) {
    index.find(1, 0);
    index.find(1, leaf * 512);
  }
  // Each of the 400 is loaded at most once.
  expect(readCount()).toBeLessThanOrEqual(400);
});

test('the leaves of a checkpoint are written some at a time, while newer locations are set', () => {
  const { index, store } = createIndex(256);
  for (let leaf = 0; leaf < 10; leaf++) index.set(1, leaf * 512, locationAt(7));
  index.begin();
  for (let turn = 0; turn < 3; turn++) {
    expect(store(3)).toBe(false);
    for (let leaf = 0; leaf < 10; leaf++) index.set(1, leaf * 512, locationAt(100 + turn));
  }
  expect(store(3)).toBe(true);
  const roots = [...index.roots()];
  index.end();
  expect(index.find(1, 512)).toEqual(locationAt(102));
  const [[space, root] = [0, new Uint8Array()]] = roots;
  // Ten leaves were stored, each with one location as of the begin.
  expect([space, root.length]).toEqual([1, 80]);
});

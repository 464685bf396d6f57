import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChangedLeaf, LocationIndex } from './location-index.ts';
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

/** A batch of numbers, mostly more than are stored as changes of a leaf. */
const anyIds = fc.array(fc.oneof(fc.nat(1_023), fc.nat(100)), { maxLength: 150, size: 'max' });
const anyRound = fc.record({
  before: anyIds,
  asOf: anyIds,
  newer: anyIds,
  removed: fc.array(fc.nat(1_023), { maxLength: 20 }),
  moved: fc.subarray([0, 1]),
  isAborted: fc.boolean(),
});

type Round = typeof anyRound extends fc.Arbitrary<infer Value> ? Value : never;

/** An index of two leaves, and a Map with the same content. */
class IndexStory {
  private readonly stored = new Map<number, StoredLeaf>();
  /** Records of leaves that were written and not replaced. */
  private readonly live = new Set<number>();
  private readonly current = new Map<number, number>();
  private readonly index = this.createIndex([]);
  private version = 0;
  private written = 0;

  round({ before, asOf, newer, removed, moved, isAborted }: Round): void {
    for (const id of before) this.set(id);
    for (const id of removed) this.remove(id);
    this.index.begin();
    const begun = new Map(this.current);
    for (const id of newer) this.set(id);
    for (const id of asOf) if (!newer.includes(id)) begun.set(id, this.setAsOf(id));
    for (const leaf of moved) {
      if (this.index.baseLocation(3, leaf) !== null) this.index.moveLeaf(3, leaf);
    }
    const isStored = this.index.writeChanged(isAborted ? 1 : 9, (leaf) => this.write(leaf));
    const roots = [...this.index.roots()];
    this.index.end();
    expect(segmentsIn(this.index)).toEqual(this.current);
    if (isStored) this.expectStored(begun, this.createIndex(roots));
  }

  private expectStored(begun: Map<number, number>, opened: LocationIndex): void {
    expect(segmentsIn(opened)).toEqual(begun);
    const referred = new Set<number>();
    for (const leaf of [0, 1]) {
      for (const each of [opened.leafLocation(3, leaf), opened.baseLocation(3, leaf)]) {
        if (each !== null) referred.add(each.segment);
      }
    }
    expect(referred).toEqual(this.live);
  }

  private createIndex(roots: Iterable<readonly [number, Uint8Array]>): LocationIndex {
    const readLeaf = (_space: number, _leaf: number, { segment }: RecordLocation) =>
      this.stored.get(segment) ?? expect.fail(`leaf ${segment} was never stored`);
    return new LocationIndex(readLeaf, 1, roots);
  }

  private set(id: number): void {
    this.current.set(id, ++this.version);
    this.index.set(3, id, locationAt(this.version));
  }

  private setAsOf(id: number): number {
    this.current.set(id, ++this.version);
    this.index.setAsOf(3, id, locationAt(this.version));
    return this.version;
  }

  private remove(id: number): void {
    this.current.delete(id);
    this.index.set(3, id, null);
  }

  private write({ kind, content, replaced }: ChangedLeaf): RecordLocation | null {
    for (const { segment } of replaced) expect(this.live.delete(segment)).toBe(true);
    if (content === null) return null;
    const location = { ...locationAt(++this.written), isIndirect: kind === 'leafChanges' };
    const changed = location.isIndirect ? decodeLeafChanges(content) : null;
    const base = changed === null ? null : this.stored.get(changed.base.segment);
    this.stored.set(this.written, {
      base: changed?.base ?? location,
      content: base?.content ?? new Uint8Array(content),
      changes: changed?.changes ?? [],
    });
    this.live.add(this.written);
    return location;
  }
}

/** The segment of each location, which is its version. */
function segmentsIn(index: LocationIndex): Map<number, number> {
  const segments = new Map<number, number>();
  for (let id = 0; id < 1_024; id++) {
    const location = index.find(3, id);
    if (location !== null) segments.set(id, location.segment);
  }
  return segments;
}

test('stored leaves contain what was there at the begin, and refer to all that is not replaced', () => {
  fc.assert(
    fc.property(fc.array(anyRound, { maxLength: 12 }), (rounds) => {
      const story = new IndexStory();
      for (const round of rounds) story.round(round);
    }),
    { numRuns: 40 },
  );
});

test('a leaf with few changes is stored as these, one with many in full', () => {
  const { index } = createIndex(16);
  const sizes: [kind: string, length: number][] = [];
  const commitChanges = (count: number) => {
    for (let id = 0; id < count; id++) index.set(1, id, locationAt(5));
    index.begin();
    index.writeChanged(9, ({ kind, content }) => {
      sizes.push([kind, content?.length ?? 0]);
      return locationAt(sizes.length);
    });
    index.end();
  };
  for (const count of [512, 1, 80, 81, 2]) commitChanges(count);
  // Eight bytes for the base and twelve for each change.
  expect(sizes).toEqual([
    ['leaf', 4_096],
    ['leafChanges', 20],
    ['leafChanges', 968],
    ['leaf', 4_096],
    ['leafChanges', 32],
  ]);
});

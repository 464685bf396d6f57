import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryPageStore } from '../../tests/support/memory-page-store.ts';
import { packedLengthMax, packWords } from './pages/packed-bytes.ts';
import { PAGE_BYTES, PAGE_WORDS } from './pages/page-layout.ts';
import { PagePool } from './pages/page-pool.ts';
import { PairIndex } from './pair-index.ts';
import { UndoLog } from './undo-log.ts';

type Change = (index: PairIndex, mirror: Map<string, number>) => void;

const part = fc.oneof(fc.nat(12), fc.constantFrom(2 ** 31, 2 ** 32 - 2));
const pair = fc.tuple(fc.oneof(fc.nat(3), fc.constant(100_000)), part);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(pair, fc.oneof(fc.nat(5), fc.constant(2 ** 32 - 2))).map(
    ([[a, b], row]): Change =>
      (index, mirror) => {
        index.set(a, b, row);
        mirror.set(`${a} ${b}`, row);
      },
  ),
  pair.map(
    ([a, b]): Change =>
      (index, mirror) => {
        index.delete(a, b);
        mirror.delete(`${a} ${b}`);
      },
  ),
);

function applyAll(changes: readonly Change[], index: PairIndex, mirror: Map<string, number>): void {
  for (const apply of changes) apply(index, mirror);
}

/** Makes changes in a record of their own, and optionally undoes them. */
function inRecord(undo: UndoLog, isUndone: boolean, change: () => void): void {
  undo.open();
  change();
  undo.close();
  if (isUndone) undo.undo();
  else undo.forget(1);
}

function expectSame(index: PairIndex, mirror: ReadonlyMap<string, number>): void {
  expect(index.size).toBe(mirror.size);
  const entries = [...index.entries()].map(([a, b, row]) => [`${a} ${b}`, row] as const);
  expect(entries.length).toBe(mirror.size);
  expect(new Map(entries)).toEqual(mirror);
  for (const a of [0, 1, 2, 3, 100_000]) {
    for (const b of [...Array(13).keys(), 2 ** 31, 2 ** 32 - 2])
      expect(index.get(a, b)).toBe(mirror.get(`${a} ${b}`) ?? -1);
  }
}

describe('an index of pairs', () => {
  test('answers like a Map, through sets, deletions and growth', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
        const [index, mirror] = [new PairIndex(), new Map<string, number>()];
        for (const apply of changes) apply(index, mirror);
        expectSame(index, mirror);
      }),
      { numRuns: 200 },
    );
  });

  test('is fully restored by an undo, including the order of its pairs', () => {
    const rounds = fc.array(fc.tuple(fc.array(change, { maxLength: 60 }), fc.boolean()));
    fc.assert(
      fc.property(rounds, (drawn) => {
        const undo = new UndoLog(1);
        const [index, calm] = [new PairIndex(undo), new PairIndex()];
        const mirror = new Map<string, number>();
        for (const [changes, isUndone] of drawn) {
          inRecord(undo, isUndone, () => applyAll(changes, index, isUndone ? new Map() : mirror));
          if (!isUndone) applyAll(changes, calm, new Map());
        }
        expectSame(index, mirror);
        expect([...index.entries()]).toEqual([...calm.entries()]);
      }),
      { numRuns: 200 },
    );
  });

  test('answers like a Map when its pages leave memory after each change', () => {
    const rounds = fc.array(fc.tuple(fc.array(change, { maxLength: 20 }), fc.boolean()));
    fc.assert(
      fc.property(rounds, (drawn) => {
        const pages = new PagePool({ pagesMax: 1, store: new MemoryPageStore() });
        const undo = new UndoLog(1, pages);
        const index = new PairIndex(undo);
        const mirror = new Map<string, number>();
        for (const [changes, isUndone] of drawn) {
          inRecord(undo, isUndone, () => applyAll(changes, index, isUndone ? new Map() : mirror));
          pages.advance();
          while (pages.trim() > 0);
        }
        expectSame(index, mirror);
      }),
      { numRuns: 200 },
    );
  });

  test('keeps a million pairs of one group, with deletions, over many pages', () => {
    const index = new PairIndex();
    const key = (row: number) => Math.imul(row, 0x9e3779b1) >>> 1;
    for (let row = 0; row < 1_000_000; row++) index.set(5, key(row), row);
    expect(index.size).toBe(1_000_000);
    expect(index.allocatedBytes).toBeLessThanOrEqual(16 * 1_000_000);
    for (let row = 0; row < 1_000_000; row += 2) index.delete(5, key(row));
    let wrong = 0;
    for (let row = 0; row < 1_000_000; row++) {
      if (index.get(5, key(row)) !== (row % 2 === 0 ? -1 : row)) wrong++;
    }
    expect([wrong, index.size]).toEqual([0, 500_000]);
    let sum = 0;
    index.forEachOf(5, (b, row) => {
      if (b === key(row)) sum++;
    });
    expect(sum).toBe(500_000);
  });

  test('stores a hundred thousand pairs in at most 32 bytes each, over many pages', () => {
    const index = new PairIndex();
    for (let row = 0; row < 100_000; row++) index.set(row % 317, row, row);
    expect(index.size).toBe(100_000);
    expect(index.get(316, 0)).toBe(-1);
    expect(index.allocatedBytes).toBeLessThanOrEqual(32 * 100_000);
    for (let row = 0; row < 100_000; row += 2) index.delete(row % 317, row);
    const wrong: number[] = [];
    for (let row = 0; row < 100_000; row++) {
      if (index.get(row % 317, row) !== (row % 2 === 0 ? -1 : row)) wrong.push(row);
    }
    expect(wrong).toEqual([]);
  });

  test('is full before numbers of blocks exceed 32 bits, and loses no pair then', () => {
    const store = new MemoryPageStore();
    const words = new Uint32Array(PAGE_WORDS);
    // The next page of the heap is the last one.
    words[0] = 2 ** 27 - 1;
    const packed = new Uint8Array(packedLengthMax(PAGE_BYTES));
    store.put(0, 0, packed.subarray(0, packWords(words, 0, PAGE_WORDS, packed)));
    const index = new PairIndex(new UndoLog(0, new PagePool({ store })));
    for (let a = 0; a < 32; a++) index.set(a, 7, a);
    expect(() => index.set(32, 7, 32)).toThrow('"index" is full');
    for (let a = 0; a < 32; a++) expect(index.get(a, 7)).toBe(a);
    expect(index.get(32, 7)).toBe(-1);
  });

  test('has no pair of what has no id, and takes no memory for the question', () => {
    const index = new PairIndex();
    index.set(0, 5, 7);
    const { allocatedBytes } = index;
    const visited: number[] = [];
    index.forEachOf(-1, (b) => visited.push(b));
    index.delete(-1, 5);
    expect([index.get(-1, 5), visited, index.size]).toEqual([-1, [], 1]);
    expect(index.allocatedBytes).toBe(allocatedBytes);
  });
});

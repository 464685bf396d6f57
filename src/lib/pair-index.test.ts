import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copiedChunks } from '../../tests/support/copied-chunks.ts';
import { GraphReader } from './graph-reader.ts';
import type { GraphTypes } from './graph-types.ts';
import { GraphWriter } from './graph-writer.ts';
import { PairIndex } from './pair-index.ts';
import { UndoLog } from './undo-log.ts';

type Change = (index: PairIndex, mirror: Map<string, number>) => void;

const part = fc.oneof(fc.nat(12), fc.constantFrom(2 ** 31, 2 ** 32 - 2));
const pair = fc.tuple(part, part);
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
  const visited: [number, number, number][] = [];
  index.forEach((...pair) => {
    visited.push(pair);
  });
  expect(visited).toEqual([...index.entries()]);
  expect(entries.length).toBe(mirror.size);
  expect(new Map(entries)).toEqual(mirror);
  for (const a of [...Array(13).keys(), 2 ** 31, 2 ** 32 - 2]) {
    for (let b = 0; b < 13; b++) expect(index.get(a, b)).toBe(mirror.get(`${a} ${b}`) ?? -1);
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
        expect(index.allocatedBytes).toBe(calm.allocatedBytes);
      }),
      { numRuns: 200 },
    );
  });

  test('is restored from a graph, and can be changed afterwards', () => {
    const undo = new UndoLog();
    const types: GraphTypes = {
      classes: [{ name: 'PairIndex', create: () => new PairIndex(undo), kept: ['undo'] }],
      records: [{ name: 'index', fields: { pages: 'always', cells: 'always', size: 'always' } }],
      externals: [undo],
    };
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, after) => {
        const [index, mirror] = [new PairIndex(undo), new Map<string, number>()];
        applyAll(before, index, mirror);
        const bytes = copiedChunks(new GraphWriter(types).write(index));
        const back = new GraphReader(types, bytes).read() as PairIndex;
        expectSame(back, mirror);
        applyAll(after, back, mirror);
        expectSame(back, mirror);
      }),
    );
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
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryPageStore } from '../../tests/support/memory-page-store.ts';
import { packedLengthMax, packWords } from './pages/packed-bytes.ts';
import { PAGE_BYTES, PAGE_WORDS } from './pages/page-layout.ts';
import { PagePool } from './pages/page-pool.ts';
import { type RowLayout, type RowSpec, rowLayout } from './row-layout.ts';
import { RowTable } from './row-table.ts';
import { UndoLog } from './undo-log.ts';

const LAYOUT = rowLayout({
  small: 'u8',
  list: ['u16', 3],
  word: 'u32',
  real: 'f64',
  signed: 'i64',
  unsigned: 'u64',
});
const { fields } = LAYOUT;

/** A row as a plain object. */
interface Mirror {
  small: number;
  list: number[];
  word: number;
  real: number;
  signed: bigint;
  unsigned: bigint;
}

const ZEROS: Mirror = { small: 0, list: [0, 0, 0], word: 0, real: 0, signed: 0n, unsigned: 0n };

/** The table and its expected contents: rows by number, without removed ones. */
interface Pair {
  readonly undo: UndoLog;
  readonly table: RowTable;
  mirror: Map<number, Mirror>;
}

type Change = (pair: Pair) => void;

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** A change of one of the existing rows. */
function ofRow(change: (table: RowTable, row: number, mirror: Mirror) => void) {
  return fc.nat().map(
    (pick): Change =>
      ({ table, mirror }) => {
        const rows = [...mirror.keys()];
        const row = rows[pick % rows.length];
        const held = row === undefined ? undefined : mirror.get(row);
        if (row !== undefined && held !== undefined) change(table, row, held);
      },
  );
}

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>(({ table, mirror }) => {
    const row = table.add();
    expect(mirror.has(row)).toBe(false);
    mirror.set(row, structuredClone(ZEROS));
  }),
  fc.nat().map(
    (pick): Change =>
      ({ table, mirror }) => {
        const rows = [...mirror.keys()];
        const row = rows[pick % rows.length];
        if (row === undefined) return;
        table.remove(row);
        mirror.delete(row);
      },
  ),
  fc.tuple(fc.nat(255), fc.nat(2), fc.nat(65_535)).chain(([small, index, item]) =>
    ofRow((table, row, mirror) => {
      table.setNumber(row, fields.small, small);
      table.setNumber(row, fields.list, item, index);
      mirror.small = small;
      mirror.list[index] = item;
    }),
  ),
  fc.tuple(fc.nat(2 ** 32 - 1), fc.double()).chain(([word, real]) =>
    ofRow((table, row, mirror) => {
      table.setNumber(row, fields.word, word);
      table.setNumber(row, fields.real, real);
      Object.assign(mirror, { word, real });
    }),
  ),
  fc.tuple(i64, u64).chain(([signed, unsigned]) =>
    ofRow((table, row, mirror) => {
      table.setBigint(row, fields.signed, signed);
      table.setBigint(row, fields.unsigned, unsigned);
      Object.assign(mirror, { signed, unsigned });
    }),
  ),
);

function read(table: RowTable, row: number): Mirror {
  return {
    small: table.number(row, fields.small),
    list: [0, 1, 2].map((index) => table.number(row, fields.list, index)),
    word: table.number(row, fields.word),
    real: table.number(row, fields.real),
    signed: table.bigint(row, fields.signed),
    unsigned: table.bigint(row, fields.unsigned),
  };
}

function applyAll(changes: readonly Change[], pair: Pair): void {
  for (const apply of changes) apply(pair);
}

function newPair(undo = new UndoLog()): Pair {
  return { undo, table: new RowTable(LAYOUT, undo), mirror: new Map() };
}

/** Words of a row of which three fit in a page, so that a row number in two bits is its place there. */
const WORDS = 80;
const ROWS_OF_PAGE = 3;

/** A table with the given extents: as many rows as its first page says were added before. */
function nearlyFull(layout: RowLayout<RowSpec>, extents: readonly number[]): RowTable {
  const store = new MemoryPageStore();
  const words = new Uint32Array(PAGE_WORDS);
  words.set(extents);
  const packed = new Uint8Array(packedLengthMax(PAGE_BYTES));
  store.put(0, 0, packed.subarray(0, packWords(words, 0, PAGE_WORDS, packed)));
  return new RowTable(layout, new UndoLog(0, new PagePool({ store })));
}

/** Adds a row to each of the given groups; group 0 are the rows outside of groups. */
function addToGroups(table: RowTable, groups: readonly number[]) {
  const newest = new Map<number, number>();
  return groups.map((group) => {
    const row = group === 0 ? table.add() : table.addToGroup(newest.get(group) ?? -1);
    newest.set(group, row);
    return { group, row };
  });
}

function expectSame({ table, mirror }: Pair): void {
  expect(table.size).toBe(mirror.size);
  for (const [row, held] of mirror) expect(read(table, row)).toEqual(held);
}

describe('a table of rows', () => {
  test('behaves like plain objects through additions, removals and changes', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const pair = newPair();
        applyAll(changes, pair);
        expectSame(pair);
      }),
      { numRuns: 200 },
    );
  });

  test('is fully restored by an undo, and then assigns the same rows', () => {
    const rounds = fc.array(fc.tuple(fc.array(change, { maxLength: 40 }), fc.boolean()));
    fc.assert(
      fc.property(rounds, (drawn) => {
        const undo = new UndoLog(1);
        const pair = newPair(undo);
        const calm = newPair();
        for (const [changes, isUndone] of drawn) {
          const before = structuredClone(pair.mirror);
          undo.open();
          applyAll(changes, pair);
          undo.close();
          if (isUndone) {
            undo.undo();
            pair.mirror = before;
          } else {
            undo.forget(1);
            applyAll(changes, calm);
          }
          expectSame(pair);
        }
        expect(pair.mirror).toEqual(calm.mirror);
        for (let next = 0; next < 5; next++) expect(pair.table.add()).toBe(calm.table.add());
      }),
      { numRuns: 200 },
    );
  });

  test('undoes several records, newest first, including added rows', () => {
    const undo = new UndoLog(3);
    const table = new RowTable(LAYOUT, undo);
    const row = table.add();
    const sum = undo.pages.sumOf(0);
    for (const round of [1, 2, 3]) {
      undo.open();
      for (let rows = 0; rows < 10_000; rows++) table.add();
      table.setNumber(row, fields.word, round);
      undo.close();
    }
    for (const round of [2, 1, 0]) {
      undo.undo();
      expect(table.number(row, fields.word)).toBe(round);
      expect(table.size).toBe(1 + round * 10_000);
    }
    expect(undo.pages.sumOf(0)).toBe(sum);
  });

  test('reuses a freed row with all fields zero', () => {
    const table = new RowTable(LAYOUT);
    const [first, second] = [table.add(), table.add()];
    for (const row of [first, second]) table.setBigint(row, fields.unsigned, 2n ** 64n - 1n);
    table.remove(first);
    table.remove(second);
    expect([table.add(), table.add()]).toEqual([second, first]);
    expect(read(table, first)).toEqual(ZEROS);
    expect(read(table, second)).toEqual(ZEROS);
  });

  test('returns a row as bytes, and restores a row from such bytes', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const pair = newPair();
        applyAll(changes, pair);
        const other = new RowTable(LAYOUT);
        for (const [row, held] of pair.mirror) {
          const bytes = pair.table.bytes(row);
          pair.table.setNumber(row, fields.word, 0);
          expect(read(other, other.restore(bytes))).toEqual(held);
        }
      }),
    );
    expect(() => new RowTable(LAYOUT).restore(new Uint8Array(39))).toThrow(RangeError);
  });

  test('is restored from the pages of a checkpoint, and then behaves like the original', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, after) => {
        const store = new MemoryPageStore();
        const pair = newPair(new UndoLog(1, new PagePool({ store })));
        applyAll(before, pair);
        const mirror = structuredClone(pair.mirror);
        pair.undo.pages.beginCheckpoint();
        applyAll(after, pair);
        while (!pair.undo.pages.writeSome(1));
        const read = (space: number, page: number) =>
          store.atCheckpoint.get(`${space} ${page}`) ?? null;
        const written = { read, put: () => undefined, putAsOf: () => undefined };
        const back = { ...newPair(new UndoLog(1, new PagePool({ store: written }))), mirror };
        expectSame(back);
        applyAll(after, back);
        expectSame(back);
        expect(back.mirror).toEqual(pair.mirror);
      }),
    );
  });

  test('keeps the rows of a group in pages of their own, whatever is added between them', () => {
    const additions = fc.array(fc.nat(4), { maxLength: 200 });
    fc.assert(
      fc.property(additions, (groups) => {
        const table = new RowTable(rowLayout({ word: ['u32', WORDS] }));
        const members = Map.groupBy(addToGroups(table, groups), ({ group }) => group);
        const owners = new Map<number, number>();
        for (const [group, rows] of members) {
          const pages = new Set(rows.map(({ row }) => row >>> 2));
          for (const page of pages) {
            expect(owners.get(page)).toBeUndefined();
            owners.set(page, group);
          }
          expect(pages.size).toBe(Math.ceil(rows.length / ROWS_OF_PAGE));
        }
        const rows = [...members.values()].flat().map(({ row }) => row);
        expect(new Set(rows).size).toBe(groups.length);
        expect(table.size).toBe(groups.length);
      }),
    );
  });

  test('assigns the same rows to groups after an undo', () => {
    const undo = new UndoLog(1);
    const table = new RowTable(LAYOUT, undo);
    table.add();
    undo.open();
    const first = [table.addToGroup(-1), table.add(), table.addToGroup(-1)];
    undo.close();
    undo.undo();
    expect(table.size).toBe(1);
    expect([table.addToGroup(-1), table.add(), table.addToGroup(-1)]).toEqual(first);
  });

  test.each([
    ['3 rows to a page', rowLayout({ word: ['u32', WORDS] }), 2 ** 30 - 2, 3],
    ['32 rows to a page', rowLayout({ word: ['u32', 8] }), 2 ** 27 - 2, 32],
    ['a page to a row', rowLayout({ word: ['u32', 256] }), 2 ** 32 - 2, 1],
  ])('with %s is full before row numbers exceed 32 bits', (_, layout, lastPage, pageRows) => {
    const first = lastPage * 2 ** Math.ceil(Math.log2(pageRows));
    const rows = nearlyFull(layout, [pageRows, first]);
    for (let row = first; row < first + pageRows - 1; row++) expect(rows.add()).toBe(row);
    expect(() => rows.add()).toThrow('"rows" is full');
    const groups = nearlyFull(layout, [1, first, 0, lastPage]);
    expect(groups.addToGroup(-1)).toBe(first);
    expect(() => groups.addToGroup(first + pageRows - 1)).toThrow('"rows" is full');
    expect(groups.size).toBe(2);
  });

  test('refuses to remove rows of a table with groups', () => {
    const table = new RowTable(LAYOUT);
    const row = table.add();
    table.addToGroup(-1);
    expect(() => table.remove(row)).toThrow(RangeError);
    expect(table.size).toBe(2);
  });

  test.each([
    ['a value that is not in the field', (table: RowTable) => table.number(0, fields.list, 3)],
    ['a byte of 256', (table: RowTable) => table.setNumber(0, fields.small, 256)],
    ['a fraction for an integer', (table: RowTable) => table.setNumber(0, fields.word, 0.5)],
    ['a negative integer', (table: RowTable) => table.setNumber(0, fields.list, -1)],
    ['2^64', (table: RowTable) => table.setBigint(0, fields.unsigned, 2n ** 64n)],
    ['an unsigned -1', (table: RowTable) => table.setBigint(0, fields.unsigned, -1n)],
    ['2^63 with a sign', (table: RowTable) => table.setBigint(0, fields.signed, 2n ** 63n)],
    ['less than -2^63', (table: RowTable) => table.setBigint(0, fields.signed, -(2n ** 63n) - 1n)],
  ])('rejects %s with a RangeError and does not change', (_, use) => {
    const table = new RowTable(LAYOUT);
    table.add();
    expect(() => use(table)).toThrow(RangeError);
    expect(read(table, 0)).toEqual(ZEROS);
  });
});

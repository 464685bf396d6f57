import fs, {
  existsSync,
  lstatSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemorySpill } from '../../fold/wallets/memory-spill.ts';
import { StoreError } from '../../model/errors.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import { FileSpill } from './file-spill.ts';

const ROW_BYTES = 24;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-spill-'));
  path = join(folder, 'rows.bin');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A row that is unique for its number and content. */
function rowOf(id: number, filling: number): Uint8Array {
  const row = new Uint8Array(ROW_BYTES).fill(filling);
  new DataView(row.buffer).setUint32(0, id, true);
  return row;
}

const anyAct = fc.record({
  kind: fc.constantFrom('put', 'put', 'take', 'peek'),
  // Two thousand apart, so that the marks grow and reads of many rows have gaps.
  id: fc.oneof(fc.nat(12), fc.integer({ min: 500, max: 520 }), fc.constantFrom(9_000, 40_000)),
  filling: fc.nat(255),
});

type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;

function expectAlike(spill: RowSpill, expected: Map<number, Uint8Array>, act: Act): void {
  const { kind, id, filling } = act;
  if (kind === 'put') {
    spill.put(id, rowOf(id, filling));
    expected.set(id, rowOf(id, filling));
    return;
  }
  const read = kind === 'take' ? spill.take(id) : spill.peek(id);
  expect(read).toEqual(expected.get(id) ?? null);
  if (kind === 'take') expected.delete(id);
}

const spills: readonly (readonly [string, () => RowSpill])[] = [
  ['a file', () => new FileSpill(path, ROW_BYTES)],
  ['memory', () => new MemorySpill()],
];

describe.each(spills)('a spill in %s', (_, create) => {
  test('returns what a Map returns, and all rows by ascending number', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 60 }), (acts) => {
        const spill = create();
        const expected = new Map<number, Uint8Array>();
        for (const act of acts) {
          expectAlike(spill, expected, act);
          expect(spill.size).toBe(expected.size);
        }
        const ascending = [...expected].sort(([one], [other]) => one - other);
        expect([...spill.entries()]).toEqual(ascending);
        spill.close();
      }),
      { numRuns: 200 },
    );
  });

  test('returns rows that the caller owns', () => {
    const spill = create();
    spill.put(3, rowOf(3, 7));
    for (const [, row] of spill.entries()) expect([...row]).toEqual([...rowOf(3, 7)]);
    expect(spill.peek(3)).toEqual(rowOf(3, 7));
    spill.close();
  });
});

describe('the file of a spill', () => {
  test('exists from the first row until it is closed', () => {
    const spill = new FileSpill(path, ROW_BYTES);
    expect(existsSync(path)).toBe(false);
    spill.put(0, rowOf(0, 1));
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    spill.close();
    expect([existsSync(path), spill.size, spill.peek(0), [...spill.entries()]]).toEqual([
      ...[false, 0, null, []],
    ]);
  });

  test('replaces a left-over file, and never follows a symbolic link', () => {
    const other = join(folder, 'of another program');
    writeFileSync(other, 'untouched');
    symlinkSync(other, path);
    const spill = new FileSpill(path, ROW_BYTES);
    expect(spill.peek(0)).toBeNull();
    spill.put(1, rowOf(1, 1));
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(lstatSync(other).size).toBe('untouched'.length);
    spill.close();
    expect(existsSync(other)).toBe(true);
  });

  test('keeps rows in memory while the disk fails', () => {
    const spill = new FileSpill(path, ROW_BYTES);
    spill.put(1, rowOf(1, 1));
    const failing = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        ...{ code: 'ENOSPC', syscall: 'write' },
      });
    });
    syncBuiltinESMExports();
    spill.put(1, rowOf(1, 2));
    spill.put(9, rowOf(9, 1));
    spill.put(7, rowOf(7, 1));
    expect([spill.size, spill.peek(1), spill.peek(9)]).toEqual([3, rowOf(1, 2), rowOf(9, 1)]);
    expect(spill.take(7)).toEqual(rowOf(7, 1));
    expect(() => spill.settle()).toThrow('cannot be written: ENOSPC');
    expect(() => [...spill.entries()]).toThrow(StoreError);
    failing.mockRestore();
    syncBuiltinESMExports();
    spill.settle();
    expect([...spill.entries()]).toEqual([
      [1, rowOf(1, 2)],
      [9, rowOf(9, 1)],
    ]);
    spill.close();
  });

  test('that cannot be created or was truncated gives a StoreError', () => {
    const nowhere = new FileSpill(join(folder, 'no such folder', 'rows.bin'), ROW_BYTES);
    expect(() => nowhere.put(0, rowOf(0, 1))).toThrow(StoreError);
    expect(nowhere.size).toBe(0);
    const spill = new FileSpill(path, ROW_BYTES);
    spill.put(5, rowOf(5, 1));
    truncateSync(path, 5 * ROW_BYTES + 3);
    expect(() => spill.peek(5)).toThrow(`The file ${path} was cut off.`);
    spill.close();
  });

  test('accepts only rows of its length', () => {
    const spill = new FileSpill(path, ROW_BYTES);
    expect(() => spill.put(0, new Uint8Array(ROW_BYTES - 1))).toThrow(RangeError);
    expect([spill.size, existsSync(path)]).toEqual([0, false]);
  });
});

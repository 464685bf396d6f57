import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flipBits } from '../../tests/support/stored-fold.ts';
import { StoreError } from '../model/errors.ts';
import { PageFile } from './page-file.ts';

const BYTES_MAX = 1_280;

describe('pages in a file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'page-file-'));
    path = join(folder, 'state', 'pages');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('are read as they were stored last, whatever else is stored', () => {
    const page = fc.record({
      space: fc.nat(3),
      id: fc.nat(40),
      bytes: fc.uint8Array({ minLength: 1, maxLength: BYTES_MAX, size: 'max' }),
    });
    fc.assert(
      fc.property(fc.array(page, { maxLength: 60 }), (pages) => {
        const file = new PageFile(path);
        const expected = new Map<string, Uint8Array>();
        for (const { space, id, bytes } of pages) {
          file.put(space, id, bytes);
          expected.set(`${space} ${id}`, bytes);
        }
        for (let space = 0; space <= 4; space++) {
          for (let id = 0; id <= 41; id++) {
            const read = file.read(space, id);
            expect(read && Buffer.from(read)).toEqual(bufferOf(expected.get(`${space} ${id}`)));
          }
        }
        expect(file.unwrittenPages).toBe(0);
        file.close();
      }),
      { numRuns: 40 },
    );
  });

  test('take the room of a page once, however often it is stored', () => {
    const file = new PageFile(path);
    for (let round = 0; round < 100; round++) file.put(0, 7, new Uint8Array(BYTES_MAX).fill(round));
    expect(file.sizeBytes).toBe(BYTES_MAX + 8);
    expect(file.read(0, 7)?.[0]).toBe(99);
    file.close();
    expect(existsSync(path)).toBe(false);
  });

  test('begin empty, whatever an earlier use left', () => {
    mkdirSync(join(folder, 'state'));
    writeFileSync(path, Buffer.alloc(5_000, 1));
    const file = new PageFile(path);
    expect(file.read(0, 0)).toBeNull();
    file.put(0, 0, Uint8Array.of(1, 2, 3));
    expect([...(file.read(0, 0) ?? [])]).toEqual([1, 2, 3]);
    file.close();
  });

  test('are refused when a bit of them has changed', () => {
    const file = new PageFile(path);
    file.put(0, 0, new Uint8Array(100).fill(5));
    flipBits(path, { from: 20 });
    expect(() => file.read(0, 0)).toThrow(StoreError);
    file.put(0, 0, new Uint8Array(100).fill(6));
    expect(file.read(0, 0)?.[99]).toBe(6);
    file.close();
  });

  test('stay in memory while the device does not take them', () => {
    // A file where the folder should be.
    writeFileSync(join(folder, 'state'), '');
    const file = new PageFile(path);
    for (let id = 0; id < 10; id++) file.put(0, id, Uint8Array.of(id, 1));
    expect(file.unwrittenPages).toBe(10);
    expect([...(file.read(0, 3) ?? [])]).toEqual([3, 1]);
    rmSync(join(folder, 'state'));
    for (let id = 10; id < 20; id++) file.put(0, id, Uint8Array.of(id, 1));
    expect(file.unwrittenPages).toBe(0);
    for (let id = 0; id < 20; id++) expect([...(file.read(0, id) ?? [])]).toEqual([id, 1]);
    file.close();
  });

  test('are not written by a use that was closed, to the file of the next', () => {
    const [old, next] = [new PageFile(path), new PageFile(path)];
    old.put(0, 0, Uint8Array.of(1));
    old.close();
    next.put(0, 0, Uint8Array.of(2));
    old.put(0, 0, Uint8Array.of(3));
    old.put(0, 1, Uint8Array.of(4));
    expect([...(next.read(0, 0) ?? [])]).toEqual([2]);
    next.close();
  });

  test('are packed pages: anything larger is a mistake of the caller', () => {
    const file = new PageFile(path);
    expect(() => file.put(0, 0, new Uint8Array(BYTES_MAX + 1))).toThrow(RangeError);
    expect(() => file.put(0, 0, null)).toThrow(RangeError);
  });
});

function bufferOf(bytes: Uint8Array | undefined): Buffer | null {
  return bytes === undefined ? null : Buffer.from(bytes);
}

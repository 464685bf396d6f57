import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anyAct, RecordStory } from '../../../tests/support/record-story.ts';
import { createFileAccess, readFully } from './file-access.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'checkpoints-')), 'inside');
});

afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
});

test('the folder is created with its first file, for its owner only', async () => {
  const access = createFileAccess(folder);
  expect([access.list(), access.sizeOf('one')]).toEqual([[], null]);
  expect(existsSync(folder)).toBe(false);
  const file = access.create('one');
  expect(access.write(file, { bytes: Buffer.from('content'), position: 2 })).toBe(7);
  await access.sync(file);
  const bytes = Buffer.alloc(5);
  expect(readFully(access, file, { bytes, position: 4 })).toBe(true);
  expect(bytes.toString()).toBe('ntent');
  expect(readFully(access, file, { bytes, position: 5 })).toBe(false);
  access.close(file);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o600);
  expect(() => access.create('one')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  access.rename('one', 'other');
  await access.syncFolder();
  expect([access.list(), access.sizeOf('other')]).toEqual([['other'], 9]);
  expect(readFileSync(join(folder, 'other'), 'latin1')).toBe('\0\0content');
  access.remove('other');
  access.remove('other');
  expect(access.list()).toEqual([]);
});

test('a store on disk reads and opens what a Map contains', async () => {
  const anyActs = fc.array(anyAct, { minLength: 30, maxLength: 80, size: 'max' });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(anyActs, async (acts) => {
      const access = createFileAccess(join(folder, `store ${runs++}`));
      const story = new RecordStory(access);
      await story.run(acts);
      story.expectContent();
      story.store.close();
      new RecordStory(access, story).store.close();
    }),
    { numRuns: 15 },
  );
});

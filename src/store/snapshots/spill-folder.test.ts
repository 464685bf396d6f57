import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SpillFolder } from './spill-folder.ts';

let path: string;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'spill-folder-')), 'spill');
});

afterEach(() => {
  rmSync(join(path, '..'), { recursive: true });
});

const row = (filling: number) => new Uint8Array(8).fill(filling);

test('files that a killed process left are removed, and nothing else', () => {
  mkdirSync(path);
  const own = ['spill-1.bin', 'spill-17.bin', 'spill-shadow.bin'];
  const foreign = ['notes.txt', 'spill-1.bin.bak', 'spill-.bin', 'a-spill-1.bin'];
  for (const name of [...own, ...foreign]) writeFileSync(join(path, name), 'left');
  new SpillFolder(path);
  expect(readdirSync(path).sort()).toEqual(foreign.sort());
});

test('engines have separate spills, and no file is left when all are closed', () => {
  const folder = new SpillFolder(path);
  const spills = [folder.create(8), folder.create(8), folder.create(8)];
  for (const [index, spill] of spills.entries()) spill.put(0, row(index));
  expect(spills.map((spill) => spill.peek(0))).toEqual([row(0), row(1), row(2)]);
  expect(readdirSync(path)).toHaveLength(3);
  spills[0]?.close();
  spills[2]?.close();
  expect(readdirSync(path)).toEqual(['spill-2.bin']);
  folder.close();
  expect(readdirSync(path)).toEqual([]);
});

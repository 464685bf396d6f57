import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freeBytesAt } from './free-bytes.ts';

test('the free space of a folder is what df says', () => {
  const output = execFileSync('df', ['--output=avail', '-B1', tmpdir()], { encoding: 'utf8' });
  const available = Number(output.trim().split('\n')[1]);
  // Others write meanwhile.
  expect(Math.abs((freeBytesAt(tmpdir()) ?? 0) - available)).toBeLessThan(2 ** 30);
});

test('it is unknown where there is no folder', () => {
  expect(freeBytesAt(join(tmpdir(), 'no such folder', 'at all'))).toBe(null);
});

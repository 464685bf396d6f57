import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stolenSeconds } from './stolen-time.ts';

test('stolen time is the eighth number of the line of all processors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stolen-'));
  const path = join(folder, 'stat');
  writeFileSync(path, 'cpu  100 2 30 4000 50 6 7 1234 0 0\ncpu0 1 1 1 1 1 1 1 99 0 0\n');
  expect(stolenSeconds(path)).toBe(12.34);
  rmSync(folder, { recursive: true });
  expect(stolenSeconds(path)).toBe(0);
});

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SLOWEST_TESTS } from '../../scripts/slowest-first.ts';

test('the tests that run last exist, and are those of the table for contributors', () => {
  const table = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(
    /^\| `(\S+\.test\.ts)` \| \d+ \|/gm,
  );
  expect([...table].map(([, path]) => path)).toEqual(SLOWEST_TESTS);
  for (const path of SLOWEST_TESTS) expect(existsSync(path), path).toBe(true);
});

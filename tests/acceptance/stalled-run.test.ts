import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { runVitest } from '../support/vitest-run.ts';

test('a run whose worker is blocked ends, and names the file that blocks it', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'passing.test.ts'), "test('passes', () => {});\n");
  writeFileSync(
    join(folder, 'blocked.test.ts'),
    "test('waits', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));\n",
  );
  const { status, errors } = await runVitest(folder, 'stalled-run.ts', {
    env: { MINTSCOPE_TEST_STALL_SECONDS: '3' },
  });
  expect(status).toBe(1);
  expect(errors).toMatch(/^No test ended for \d+ s: the run is given up\.$/m);
  expect(errors).toMatch(/^ {2}blocked\.test\.ts has run for \d+ s$/m);
  expect(errors).not.toContain('passing.test.ts');
});

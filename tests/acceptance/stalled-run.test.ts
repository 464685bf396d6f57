import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';

const VITEST = resolve('node_modules/vitest/vitest.mjs');
const REPORTER = resolve('scripts/stalled-run.ts');

/** Ends a run in a folder of its own, with everything that it started; its exit code and errors. */
async function runTests(folder: string): Promise<{ status: unknown; errors: string }> {
  const args = [VITEST, 'run', '--root', folder, '--globals', '--reporter', REPORTER];
  const run = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, MINTSCOPE_TEST_STALL_SECONDS: '3', VITEST: undefined },
  });
  const [[status], errors] = await Promise.all([
    once(run, 'exit').finally(() => process.kill(-(run.pid ?? 0), 'SIGKILL')),
    text(run.stderr),
  ]);
  return { status, errors };
}

test('a run whose worker is blocked ends, and names the file that blocks it', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'passing.test.ts'), "test('passes', () => {});\n");
  writeFileSync(
    join(folder, 'blocked.test.ts'),
    "test('waits', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));\n",
  );
  const { status, errors } = await runTests(folder);
  expect(status).toBe(1);
  expect(errors).toMatch(/^No test ended for \d+ s: the run is given up\.$/m);
  expect(errors).toMatch(/^ {2}blocked\.test\.ts has run for \d+ s$/m);
  expect(errors).not.toContain('passing.test.ts');
});

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { runVitest } from '../support/vitest-run.ts';

const FAILING = `process.stderr.write('this file is loaded');
describe('all of it', () => {
  beforeAll(() => expect('begun').toBe('not begun'));
  test('fails', () => expect(1).toBe(2));
});
`;

async function runUntil(untilMs: number) {
  const folder = temporaryFolder();
  const runner = resolve('scripts/runner-in-time.ts');
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: { runner: ${JSON.stringify(runner)} } };\n`,
  );
  writeFileSync(join(folder, 'late.test.ts'), FAILING);
  return runVitest(folder, 'unstarted-tests.ts', {
    env: { MINTSCOPE_TEST_BEGIN_UNTIL_MS: String(untilMs) },
  });
}

test('a file that would begin too late is not even loaded, and is named', async () => {
  const { status, errors } = await runUntil(Date.now() - 1);
  expect(errors).toContain('SKIPPING 1 test files: the time in which files begin was over.');
  expect(errors).toMatch(/^ {2}npm run unit -- late\.test\.ts$/m);
  expect(errors).not.toContain('this file is loaded');
  expect(status).toBe(0);
});

test('a file that begins in time runs to its end', async () => {
  const { status, errors } = await runUntil(Date.now() + 600_000);
  expect(status).toBe(1);
  expect(errors).toContain('this file is loaded');
  expect(errors).not.toContain('SKIPPING');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { runVitest } from '../support/vitest-run.ts';

const UNSTEADY = `let runs = 0;
test('passes', () => {});
test('passes the second time', () => expect(++runs).toBe(2));
`;

test('a test that passes only when repeated is named with its first error, and the run passes', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'unsteady.test.ts'), UNSTEADY);
  const { status, errors } = await runVitest(folder, 'repeated-tests.ts', { args: ['--retry=1'] });
  expect(status).toBe(0);
  expect(errors).toMatch(/^Failed at first and passed when repeated, to be mended:$/m);
  expect(errors).toMatch(/^ {2}unsteady\.test\.ts > passes the second time: expected 1 to be 2/m);
  expect(errors).not.toContain('> passes:');
});

test('a test that fails twice fails the run, and is not named as repeated', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'failing.test.ts'), "test('fails', () => expect(1).toBe(2));\n");
  const { status, errors } = await runVitest(folder, 'repeated-tests.ts', { args: ['--retry=1'] });
  expect(status).toBe(1);
  expect(errors).not.toContain('Failed at first');
});

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import { runVitest } from '../support/vitest-run.ts';

const SUPPORT = resolve('tests/support');

/** Its first attempt fails while a process runs; the second sees which processes are left. */
const REPEATED = `
import { spawn } from 'node:child_process';
import '${SUPPORT}/end-left-processes.ts';
import { countProcess, runningProcesses } from '${SUPPORT}/running-processes.ts';
const start = () => {
  const process = spawn('sleep', ['600']);
  countProcess(process);
  return process;
};
let isStarted = null;
beforeAll(() => { isStarted = start(); });
afterAll(() => { isStarted.kill('SIGKILL'); });
let left = null;
test('is repeated', { retry: 1 }, () => {
  if (left === null) {
    left = start();
    throw new Error('the first attempt fails');
  }
  expect(left.signalCode).toBe('SIGKILL');
  expect([...runningProcesses()]).toEqual([isStarted]);
});
`;

test('what a failed test has started is ended before it is repeated, not what its file has started', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'repeated.test.ts'), REPEATED);
  const { status, errors } = await runVitest(folder, 'repeated-tests.ts');
  expect([status, errors]).toEqual([0, expect.stringContaining('is repeated')]);
});

/**
 * Runs the unit, property, conformance and replay tests, reports absent recorded data, and ends
 * with the line `N passed, N failed`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { answerHelp } from './answer-help.ts';
import { signalGroup } from './signal-group.ts';

answerHelp(`Runs all tests and ends with the line "N passed, N failed".

  npm run unit -- [files] [options of Vitest]

Files begin in the first 50 minutes; MINTSCOPE_TEST_MINUTES sets another time.

Example:
  npm run unit -- src/lib`);

const testData = resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data');
if (!existsSync(testData)) {
  console.log(`SKIPPING every test on recorded mainnet data: ${testData} does not exist.`);
  console.log('Set MINTSCOPE_TEST_DATA to the folder that holds chain/ and idl/ to run them.');
}

/** Files begin in the first minutes of a run only, so that it also ends in time on a slow machine. */
const MINUTES = 50;
const minutes = Number(process.env.MINTSCOPE_TEST_MINUTES ?? MINUTES);
if (!(minutes > 0)) {
  console.error('MINTSCOPE_TEST_MINUTES is no positive number; leave it out for 50 minutes.');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'mintscope-tests-'));
const report = join(folder, 'report.json');
const vitest = resolve('node_modules/vitest/vitest.mjs');
const run = spawn(
  process.execPath,
  [
    vitest,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./scripts/stalled-run.ts',
    '--reporter=./scripts/repeated-tests.ts',
    '--reporter=./scripts/unstarted-tests.ts',
    ...process.argv.slice(2),
  ],
  {
    stdio: 'inherit',
    // A group of its own, so that workers which are blocked can be ended with it.
    detached: true,
    env: { ...process.env, MINTSCOPE_TEST_BEGIN_UNTIL_MS: `${Date.now() + minutes * 60_000}` },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => signalGroup(run.pid, signal));
}
const [status] = (await once(run, 'exit')) as [number | null];
signalGroup(run.pid, 'SIGKILL');
const counts = readCounts(report);
rmSync(folder, { recursive: true, force: true });
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(status ?? 1);

function readCounts(path: string): { passed: number; failed: number; skipped: number } {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(path, 'utf8'),
  ) as { numPassedTests: number; numFailedTests: number; numPendingTests: number };
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
}

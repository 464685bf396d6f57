/**
 * Runs the unit, property, conformance and replay tests, reports absent recorded data, and ends
 * with the line `N passed, N failed`.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const testData = resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data');
if (!existsSync(testData)) {
  console.log(`SKIPPING every test on recorded mainnet data: ${testData} does not exist.`);
  console.log('Set MINTSCOPE_TEST_DATA to the folder that holds chain/ and idl/ to run them.');
}

const folder = mkdtempSync(join(tmpdir(), 'mintscope-tests-'));
const report = join(folder, 'report.json');
const vitest = resolve('node_modules/vitest/vitest.mjs');
const run = spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const counts = readCounts(report);
rmSync(folder, { recursive: true, force: true });
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(run.status ?? 1);

function readCounts(path: string): { passed: number; failed: number; skipped: number } {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(path, 'utf8'),
  ) as { numPassedTests: number; numFailedTests: number; numPendingTests: number };
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
}

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'main.ts');
/** Processes start slowly where much else runs. */
const WITHIN_MS = 300_000;
/** One swap a slot, so that two checkpoints are begun after few of them. */
const SMALL = ['--swaps', '60', '--swaps-a-second', '2.5', '--state-memory', '64MiB'];

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-bench-main-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(...options: readonly string[]): SpawnSyncReturns<string> {
  const node = ['--disable-warning=ExperimentalWarning', SCRIPT];
  return spawnSync(process.execPath, [...node, ...options], { encoding: 'utf8' });
}

/** Ends with one sentence, without a stack. */
function expectRefused(options: readonly string[], sentence: string): void {
  const { status, stdout, stderr } = run(...options);
  expect(stderr).toBe(`bench:state: ${sentence} (--help shows the options)\n`);
  expect(stdout).toBe('');
  expect(status).toBe(2);
}

test(
  'a run ends with a line of JSON that has what was measured, and its folder is refused to others',
  () => {
    const { status, stdout, stderr } = run(...SMALL, '--folder', folder);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      swaps: 60,
      residentMiB: expect.any(Number),
      collectedMiB: null,
      foldedPerSecond: expect.any(Number),
      restartMs: expect.any(Number),
      toEndMs: expect.any(Number),
      digestEqual: true,
      reference: 'unbounded',
      coldSwaps: 0,
      loadedPagesPerSwap: 0,
      checkpointShareOfCore: expect.any(Number),
      slotP99MsWriting: null,
      slotP99MsIdle: expect.any(Number),
      diskMiB: expect.any(Number),
      writtenMiBPerMillionSwaps: expect.any(Number),
      memoryBytesPerWallet: null,
      diskBytesPerWallet: null,
    });
    expect(stderr).toContain('on to the worst time for a kill');
    expect(stderr).toContain('restart: answered');
    expectRefused(
      [...SMALL, '--seed', '21', '--folder', folder],
      `${folder} was made with other options (seed 20 in place of 21): pass those, or another --folder`,
    );
  },
  WITHIN_MS,
);

test(
  'what cannot be measured as asked ends with a sentence and exit code 2',
  () => {
    expectRefused(
      ['--swaps', 'abc'],
      '--swaps takes a whole number from 1 to 1000000000, not "abc"',
    );
    expectRefused(['--threads', '2'], 'there is no option --threads');
    expectRefused(
      ['--load', 'cold-mints', '--swaps', '300'],
      'no swap that is measured is on a mint that was not traded for an hour: at 5 swaps a second ' +
        'there is none in the first 18,000, and the last half of a run is cold as it should be with ' +
        '--swaps 180000',
    );
  },
  WITHIN_MS,
);

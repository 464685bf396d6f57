import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand, temporaryFolder } from '../support/command-line.ts';

const PRELOADED = fileURLToPath(new URL('../support/full-table.ts', import.meta.url));

test('a full table of the state ends the service with one sentence that names it and the way out', async () => {
  const args = ['start', '--simulate', '--port', '0', '--data-dir', temporaryFolder()];
  const environment = { NODE_OPTIONS: `--import=${PRELOADED}` };
  const { stderr, exitCode } = await runCommand(args, environment);
  expect(exitCode, stderr).toBe(1);
  expect(stderr.trim().split('\n').at(-1)).toMatch(
    /^mintscope: The table "positions" is full: it has room for 20000 rows\. .*new data folder/,
  );
  expect(stderr).not.toMatch(/^ {4}at /m);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { signalGroup } from '../../scripts/signal-group.ts';

/**
 * Runs the tests of a folder with a reporter of `scripts/`, and ends everything that the run
 * started. Returns its exit code and what it wrote to its standard error output.
 */
export async function runVitest(
  folder: string,
  reporter: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<{ status: unknown; errors: string }> {
  const run = spawn(
    process.execPath,
    [
      ...[resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--globals'],
      ...['--reporter', resolve('scripts', reporter), ...args],
    ],
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, VITEST: undefined, ...env },
    },
  );
  const [[status], errors] = await Promise.all([
    once(run, 'exit').finally(() => signalGroup(run.pid, 'SIGKILL')),
    text(run.stderr),
  ]);
  return { status, errors };
}

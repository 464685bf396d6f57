import { once } from 'node:events';
import { afterEach, beforeEach } from 'vitest';
import { runningProcesses } from './running-processes.ts';

let before = runningProcesses();

beforeEach(() => {
  before = runningProcesses();
});

/**
 * Ends what a failed test has started and not stopped: its second attempt must not meet a folder or
 * a port that the first still holds. Tests of a file that run at once have no attempts of their own.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail' || task.concurrent) return;
  const left = [...runningProcesses()].filter((process) => !before.has(process));
  await Promise.all(
    left.map(async (process) => {
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    }),
  );
});

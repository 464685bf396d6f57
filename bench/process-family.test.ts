import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { processFamily } from './process-family.ts';

/** Takes 0.4 s of processor time, however long that takes. */
const BURN = 'while (process.cpuUsage().user + process.cpuUsage().system < 400_000);';

describe.skipIf(process.platform !== 'linux')('resources of a process and those it started', () => {
  test('include the processor time of running and ended processes, and their memory', async () => {
    const before = processFamily(process.pid);
    const running = spawn(process.execPath, [
      '-e',
      `${BURN} console.log(1); setInterval(String, 9)`,
    ]);
    const ended = spawn(process.execPath, ['-e', BURN]);
    await Promise.all([once(running.stdout, 'data'), once(ended, 'exit')]);
    const after = processFamily(process.pid);
    running.kill('SIGKILL');
    await once(running, 'exit');
    // The system counts in steps of 10 ms.
    expect((after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0)).toBeGreaterThan(0.75);
    expect((after?.othersRssBytes ?? 0) - (before?.othersRssBytes ?? 0)).toBeGreaterThan(2 ** 24);
  });

  test('are null for a process that has ended', () => {
    expect(processFamily(2 ** 22 + 1)).toBeNull();
  });
});

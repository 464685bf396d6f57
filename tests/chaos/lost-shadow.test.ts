import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { ShadowProcess } from '../../src/ingestion/shadow-process.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fallbackSolUsd, second } from '../support/master-fixture.ts';
import {
  isRunning,
  namesProcesses,
  procFile,
  shadowProcesses,
} from '../support/shadow-processes.ts';

const OWNER = fileURLToPath(new URL('../support/shadow-until-killed.ts', import.meta.url));

function startOwner(folder: string, what: string) {
  return spawn(process.execPath, [OWNER, folder, what], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
}

function startShadow(): ShadowProcess {
  const folder = temporaryFolder();
  const engine = { fallbackSolUsd };
  const start = { folder, base: null, spillFolder: folder, engine, rules: 'rules', epoch: 1 };
  return new ShadowProcess(start);
}

async function areGone(pids: readonly number[], withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (pids.some(isRunning)) {
    if (performance.now() > untilMs) return false;
    await delay(10);
  }
  return true;
}

// The process list is read in the form of Linux.
describe.skipIf(!namesProcesses)('the process of a shadow fold (F-01)', () => {
  test('ends when its service is killed during a fold, and names no snapshot', async () => {
    const folder = temporaryFolder();
    const owner = startOwner(folder, 'fold');
    await once(owner.stdout, 'data');
    const shadows = shadowProcesses(owner.pid);
    expect(shadows).toHaveLength(1);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await areGone(shadows, 5_000)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
  });

  test('does not keep an idle service running, and ends with it', async () => {
    const owner = startOwner(temporaryFolder(), 'leave');
    const exit = once(owner, 'exit');
    await once(owner.stdout, 'data');
    const shadows = shadowProcesses(owner.pid);
    expect(await exit).toEqual([0, null]);
    expect(await areGone(shadows, 5_000)).toBe(true);
  });

  test('receives nothing of the environment of its service, which holds secrets', async () => {
    process.env.MINTSCOPE_TEST_SECRET = 'open sesame';
    // The only variable that the process gets; without it none is left.
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
    const shadow = startShadow();
    try {
      await shadow.ready();
      const [pid = 0] = shadowProcesses();
      const names = procFile(pid, 'environ')
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => line.replace(/=.*/s, ''));
      // Only the variables that Node itself sets for the channel.
      expect(names.sort()).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']);
      expect(procFile(pid, 'cmdline')).not.toContain('sesame');
    } finally {
      delete process.env.MINTSCOPE_TEST_SECRET;
      vi.unstubAllEnvs();
      await shadow.close();
    }
  });

  test('has ended when close resolves, and ignores signals until then', async () => {
    const shadow = startShadow();
    await shadow.ready();
    const shadows = shadowProcesses();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(shadows[0] ?? 0, signal);
    await shadow.fold([encodeSlotFacts(second(0))]);
    expect(shadows).toHaveLength(1);
    await shadow.close();
    expect(shadows.filter(isRunning)).toEqual([]);
  });

  test('runs every thread at a lower priority', async () => {
    const shadow = startShadow();
    await shadow.ready();
    const [pid = 0] = shadowProcesses();
    const nice = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(
        procFile(pid, `task/${thread}/stat`)
          .replace(/^.*\) /s, '')
          .split(' ')[16],
      ),
    );
    await shadow.close();
    expect(nice.length).toBeGreaterThan(1);
    expect(new Set(nice)).toEqual(new Set([5]));
  });
});

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';

const FOLDER_PROGRAM = fileURLToPath(new URL('../support/fold-until-killed.ts', import.meta.url));
const ENVIRONMENT = { ...process.env, NODE_NO_WARNINGS: '1' };
/** Kills of one folder, each at another operation. More: MINTSCOPE_STATE_KILLS. */
const KILLS = Number(process.env.MINTSCOPE_STATE_KILLS ?? 3);

interface Found {
  readonly digest: string;
  readonly folded: number;
  readonly operations: number;
  readonly sentences: readonly string[];
}

/** Null if the process was killed. */
function run(folder: string, killAt: number): Found | null {
  const { signal, stdout } = spawnSync(process.execPath, [FOLDER_PROGRAM, folder, `${killAt}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENVIRONMENT,
  });
  expect(signal).toBe(stdout === '' ? 'SIGKILL' : null);
  return stdout === '' ? null : (JSON.parse(stdout) as Found);
}

test('a process killed at any write of its state continues with the state of one that was not (F-01)', () => {
  const calm = run(temporaryFolder(), 0);
  if (calm === null) throw new Error('the undisturbed process was killed');
  expect(calm.sentences).toEqual([]);
  expect(calm.operations).toBeGreaterThan(KILLS);
  // All kills in one folder: each process finds what the one before left unfinished.
  const folder = temporaryFolder();
  for (let kill = 1; kill <= KILLS; kill++) {
    const killed = run(folder, Math.ceil((kill / (KILLS + 1)) * calm.operations));
    // A process that continues from a checkpoint has fewer operations left.
    if (killed !== null) expect(killed.digest).toBe(calm.digest);
  }
  const after = run(folder, 0);
  expect(after?.digest).toBe(calm.digest);
  expect(after?.folded).toBeLessThan(calm.folded);
  expect(after?.sentences).toEqual([]);
});

test('a process that is stopped and continued while it stores its state ends as if it was not', async () => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [FOLDER_PROGRAM, folder, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENVIRONMENT,
  });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  const ended = once(child, 'exit');
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  while (isRunning) {
    child.kill('SIGSTOP');
    await delay(40);
    child.kill('SIGCONT');
    await delay(80);
  }
  await ended;
  expect((JSON.parse(text) as Found).digest).toBe(run(temporaryFolder(), 0)?.digest);
});

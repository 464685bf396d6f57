import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startThread } from './start-thread.ts';

const MEGABYTE = 2 ** 20;
/** Creates garbage and keeps some of it, until a young generation that may grow has grown. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const kept = [];
for (let made = 0; made < 3e6; made++) {
  const pair = [made, kept.length];
  if (made % 8 === 0) kept.push(pair);
}
const spaces = require('node:v8').getHeapSpaceStatistics();
parentPort.postMessage(spaces.find(({ space_name }) => space_name === 'new_space').space_size);
`;

/** Size of a thread's young generation after work. */
async function youngBytes(semiSpaceMb: number): Promise<number> {
  const url = new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('file:///');${PROGRAM}`)}`,
  );
  const worker = startThread(url, semiSpaceMb, { env: {} });
  const [bytes] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  return bytes;
}

/** Names of the environment variables that a thread sees. */
async function variablesSeen(env: Record<string, string>): Promise<string[]> {
  const program = `import { parentPort } from 'node:worker_threads';
    parentPort.postMessage(Object.keys(process.env));`;
  const worker = startThread(new URL(`data:text/javascript,${encodeURIComponent(program)}`), 4, {
    env,
  });
  const [names] = (await once(worker, 'message')) as [string[]];
  await worker.terminate();
  return names.sort();
}

describe('a thread', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('sees only the given environment and where modules are compiled', async () => {
    vi.stubEnv('A_SECRET', 'of this process');
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
    expect(await variablesSeen({})).toEqual([]);
    vi.stubEnv('NODE_COMPILE_CACHE', mkdtempSync(join(tmpdir(), 'compiled-')));
    expect(await variablesSeen({})).toEqual(['NODE_COMPILE_CACHE']);
    expect(await variablesSeen({ GIVEN: '1' })).toEqual(['GIVEN', 'NODE_COMPILE_CACHE']);
  });

  test('has the young generation it was given, even after a thread with a larger one', async () => {
    expect(await youngBytes(32)).toBeGreaterThan(32 * MEGABYTE);
    expect(await youngBytes(4)).toBeLessThanOrEqual(8 * MEGABYTE);
    expect(await youngBytes(32)).toBeGreaterThan(32 * MEGABYTE);
  });
});

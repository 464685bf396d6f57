import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { SOON_MS } from '../../tests/support/slow-machine.ts';
import { listenHttp } from '../../tests/support/stranger-listeners.ts';
import { tokenAt } from '../../tests/support/test-gathering.ts';
import { asSlot } from '../model/units.ts';
import { openOffchain } from '../store/offchain/open-offchain.ts';
import { GatheringThread, type GatheringThreadOptions } from './gathering-thread.ts';
import type { FoldPoint, TokenBatch } from './messages.ts';

const CAT = address('cat');
const DOG = address('dog');
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function threadIn(
  dataDir: string,
  options: Partial<GatheringThreadOptions> = {},
  ports: number[] = [],
) {
  const ready: (FoldPoint | null)[] = [];
  const lost: { reason: string; restartMs: number }[] = [];
  const taken: number[] = [];
  const thread = new GatheringThread({
    settings: {
      dataDir,
      logLevel: 'silent',
      ipfsGateways: [],
      arweaveGateways: [],
      requestsPerSecond: 100,
      allowedPrivate: ports.map((port) => `127.0.0.1:${port}`),
    },
    onReady: (reached) => ready.push(reached),
    onTaken: (number) => taken.push(number),
    onLost: (reason, restartMs) => lost.push({ reason, restartMs }),
    onUnread: () => undefined,
    ...options,
  });
  closing.push(() => thread.close(2_000));
  return { thread, ready, lost, taken };
}

async function until<Value>(read: () => Value | null | undefined | false): Promise<Value> {
  for (let tries = 0; tries < 2_000; tries++) {
    const value = read();
    if (value !== null && value !== undefined && value !== false) return value;
    await delay(5);
  }
  throw new Error('it did not come to be');
}

function batch(number: number, uris: Record<string, string>, slot: number): TokenBatch {
  const tokens = Object.entries(uris).map(([name, uri]) => tokenAt(address(name), uri));
  return { kind: 'tokens', number, tokens, tracked: [], reached: { epoch: 1, slot: asSlot(slot) } };
}

describe('The gathering thread', () => {
  it('stores and processes its batches, and ends in time while a server hangs', async () => {
    const dataDir = temporaryFolder();
    const server = await listenHttp((request, response) => {
      if (request.url === '/cat.json') response.end('{"name":"Cat"}');
    });
    closing.push(() => server.close());
    const at = `http://127.0.0.1:${server.port}`;
    const first = threadIn(dataDir, {}, [server.port]);
    await until(() => first.ready.length === 1);
    expect(first.ready).toEqual([null]);
    first.thread.send(batch(1, { cat: `${at}/cat.json`, dog: `${at}/dog.json` }, 7));
    const { facts, database, close } = openOffchain(dataDir);
    closing.push(close);
    await until(() => facts.factsOf(CAT).document);
    await until(() => server.requests.length === 2);
    expect(first.taken).toEqual([1]);
    const started = performance.now();
    await first.thread.close(2 * SOON_MS);
    expect(performance.now() - started).toBeLessThan(SOON_MS);
    expect(first.lost).toEqual([]);
    // The hanging job was released as it was: ending is not a failure of the job.
    const waiting = database.prepare("SELECT attempts FROM jobs WHERE state = 'pending'").all();
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0]);
    const second = threadIn(dataDir, {}, [server.port]);
    await until(() => second.ready.length === 1);
    expect(second.ready).toEqual([{ epoch: 1, slot: 7 }]);
    await until(() => server.requests.length === 3);
    expect(facts.factsOf(DOG).document).toBeNull();
  });

  it('contacts no private address that is not allowed', async () => {
    const server = await listenHttp((_, response) => response.end('{"name":"Cat"}'));
    closing.push(() => server.close());
    const dataDir = temporaryFolder();
    const { thread, ready } = threadIn(dataDir);
    await until(() => ready.length === 1);
    const uris = {
      cat: `http://127.0.0.1:${server.port}/`,
      dog: `https://127.0.0.1:${server.port}/`,
    };
    thread.send(batch(1, uris, 7));
    const { database, close } = openOffchain(dataDir);
    closing.push(close);
    const deadJobs = database.prepare("SELECT count(*) AS dead FROM jobs WHERE state = 'dead'");
    await until(() => deadJobs.get()?.dead === 2);
    expect(server.connections()).toBe(0);
  });

  it('is restarted after an unexpected end, with increasing delays, and can be closed meanwhile', async () => {
    const workerUrl = pathToFileURL(join(temporaryFolder(), 'worker.mjs'));
    writeFileSync(workerUrl, 'throw new Error("the gathering broke");');
    const { thread, lost } = threadIn(temporaryFolder(), { workerUrl, restartFirstMs: 10 });
    await until(() => lost.length === 3);
    expect(lost.map(({ restartMs }) => restartMs)).toEqual([10, 20, 40]);
    expect(lost[0]?.reason).toBe('the gathering broke');
    expect(thread.restarts).toBe(3);
    expect(thread.send(batch(1, {}, 1))).toBe(false);
    await thread.close(1_000);
    await delay(60);
    expect(thread.restarts).toBe(3);
  });
});

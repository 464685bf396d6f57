import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { SOON_MS } from '../support/slow-machine.ts';

const TEST_MS = 300_000;
const SHOWS_MS = 150_000;

interface Running {
  readonly server: RunningCommand;
  readonly url: string;
  readonly key: string;
  /** The market's data folder. */
  readonly dataDir: string;
}

/** A simulated market that emits its past as fast as it is applied. */
async function startMarket(settings: readonly string[] = []): Promise<Running> {
  const dataDir = `${temporaryFolder()}/data`;
  const server = new RunningCommand([
    ...['start', '--simulate', '--port', '0', '--data-dir', dataDir],
    ...['--rate-limit-per-minute', '9999999', '--rate-limit-burst', '999999'],
    ...settings,
  ]);
  const readyz = /curl -H 'X-API-Key: (\S+)' (http:\S+)\/readyz/;
  const [, key = '', url = ''] = await server.shows(readyz, SHOWS_MS);
  await server.shows(/"simulated market: nothing here/, SHOWS_MS);
  return { server, url, key, dataDir: `${dataDir}-simulated` };
}

/** A client that never finishes its request: closing waits for it up to the limit. */
async function dawdle(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('GET /livez HTTP/1.1\r\nHost: dawdler\r\n');
  return socket;
}

/** Clients that send one request after the other until the service no longer answers. */
class Load {
  newestSlot = 0;
  answers = 0;
  /** From now on failed requests are expected. */
  isOver = false;
  readonly wrong: unknown[] = [];
  private readonly clients: Promise<void>[];

  constructor(url: string, key: string, clients: number) {
    const ask = async () => {
      const answer = await fetch(url, { headers: { 'x-api-key': key } });
      await answer.json();
      if (answer.status !== 200) this.wrong.push(answer.status);
      this.newestSlot = Math.max(this.newestSlot, Number(answer.headers.get('x-slot')));
      this.answers++;
    };
    this.clients = Array.from({ length: clients }, async () => {
      try {
        for (;;) await ask();
      } catch (error) {
        if (!this.isOver) this.wrong.push(error);
      }
    });
  }

  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough() && this.wrong.length === 0) await delay(20);
  }

  async ended(): Promise<void> {
    await Promise.all(this.clients);
  }
}

describe('a service that is stopped under load (F-23)', () => {
  test(
    'answers open requests, ends within ten seconds with 0, and loses no slot',
    async () => {
      const { server, url, key, dataDir } = await startMarket();
      const dawdler = await dawdle(url);
      const load = new Load(`${url}/v1/coverage`, key, 8);
      await load.until(() => load.answers > 100 && load.newestSlot > 0);
      load.isOver = true;
      const beganMs = performance.now();
      server.process.kill('SIGTERM');
      const { exitCode, stderr } = await server.finished;
      const stopMs = performance.now() - beganMs;
      await load.ended();
      dawdler.destroy();
      expect(load.wrong).toEqual([]);
      expect(exitCode).toBe(0);
      expect(stopMs).toBeLessThan(SOON_MS);
      const lastSlot = Number(/"lastSlot":(\d+),"msg":"ingestion stopped"/.exec(stderr)?.[1]);
      expect(lastSlot).toBeGreaterThanOrEqual(load.newestSlot);
      expect(await lastSlotOf(dataDir, key)).toBe(lastSlot);
    },
    TEST_MS,
  );

  test(
    'ends at once with 1 at a second signal',
    async () => {
      const { server, url } = await startMarket();
      const dawdler = await dawdle(url);
      server.process.kill('SIGTERM');
      await server.shows(/"stopping"/, SHOWS_MS);
      await delay(800);
      expect(server.process.exitCode).toBeNull();
      server.process.kill('SIGTERM');
      const { exitCode, stderr } = await server.finished;
      dawdler.destroy();
      expect(exitCode).toBe(1);
      expect(stderr).toContain('exiting immediately');
      expect(stderr).not.toContain('"stopped"');
    },
    TEST_MS,
  );
});

describe('a service whose output is no longer read', () => {
  test.each([
    ['its output is closed', false],
    ['its output is closed with unread data', true],
  ])(
    'ends by itself when %s',
    async (_, isUnread) => {
      const { server, url } = await startMarket(['--log-level', 'debug']);
      if (isUnread) {
        server.process.stderr?.pause();
        for (let times = 0; times < 5; times++) await fetch(`${url}/livez`);
      }
      server.process.stdout?.destroy();
      server.process.stderr?.destroy();
      const ended = new Promise<{
        readonly exitCode: number | null;
        readonly signal: string | null;
      }>((resolve) =>
        server.process.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
      );
      let isOver = false;
      const ask = async () => {
        while (!isOver) {
          const signal = AbortSignal.timeout(1_000);
          await fetch(`${url}/livez`, { signal }).catch(() => undefined);
          await delay(50);
        }
      };
      const asking = ask();
      expect(await ended).toEqual({ exitCode: 0, signal: null });
      isOver = true;
      await asking;
    },
    TEST_MS,
  );
});

/** The last slot of the folder, as the next start reports it. */
async function lastSlotOf(dataDir: string, key: string): Promise<number> {
  const server = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir]);
  const [, url = ''] = await server.shows(/listens on (http:\S+);/, SHOWS_MS);
  const answer = await fetch(`${url}/v1/coverage`, { headers: { 'x-api-key': key } });
  const { last_slot: lastSlot } = (await answer.json()) as { readonly last_slot: number };
  server.process.kill('SIGTERM');
  expect((await server.finished).exitCode).toBe(0);
  return lastSlot;
}

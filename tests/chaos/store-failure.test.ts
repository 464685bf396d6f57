import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { type DeviceFault, fullDisk } from '../support/device-faults.ts';
import { SOON_MS } from '../support/slow-machine.ts';

const SHOWS_MS = 300_000;
const FAULT_MS = Number(process.env.MINTSCOPE_TEST_FAULT_MS ?? 5_000);
/** Ten seconds are promised; a busy machine may take twice as long. */
const RECOVERY_MAX_MS = 2 * SOON_MS;
const POLL_MS = 100;
const POOL = 'So11111111111111111111111111111111111111112';

const disk = temporaryFolder();
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', disk]).status === 0;
if (!isMounted) process.stderr.write('A full disk is not tested: none can be mounted here.\n');
const canLimit = spawnSync('prlimit', ['--version']).status === 0;
if (!canLimit) process.stderr.write('Too many open files are not tested: no prlimit here.\n');

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A service that follows a simulated market, and a client with one persistent connection. */
class Market {
  readonly server: RunningCommand;
  readonly dataDir: string;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private key = '';
  private url = '';

  constructor(dataDir: string) {
    this.dataDir = `${dataDir}-simulated`;
    this.server = new RunningCommand([
      ...['start', '--simulate', '--port', '0', '--data-dir', dataDir],
      ...['--rate-limit-per-minute', '9999999', '--rate-limit-burst', '999999'],
    ]);
  }

  async ready(): Promise<void> {
    const readyz = /curl -H 'X-API-Key: (\S+)' (http:\S+)\/readyz/;
    [, this.key = '', this.url = ''] = await this.server.shows(readyz, SHOWS_MS);
    await this.until(async () => {
      const { status, headers } = await this.ask('/v1/coverage');
      return status === 200 && headers['x-slot'] !== undefined;
    });
    await this.until(async () => (await this.ask('/readyz')).status === 200);
  }

  /** Resolves with the elapsed milliseconds. */
  async until(isSo: () => Promise<boolean>): Promise<number> {
    const startMs = performance.now();
    while (!(await isSo())) {
      if (performance.now() - startMs > SHOWS_MS) {
        throw new Error(`the condition was never met:\n${this.server.errorOutput.slice(-4_000)}`);
      }
      await delay(POLL_MS);
    }
    return performance.now() - startMs;
  }

  ask(path: string, body?: unknown): Promise<Answer> {
    const headers = { 'x-api-key': this.key, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const asked = request(
        `${this.url}${path}`,
        { agent: this.agent, method, headers },
        (from) => {
          let text = '';
          from.setEncoding('utf8');
          from.on('data', (chunk: string) => {
            text += chunk;
          });
          from.on('end', () =>
            resolve({ status: from.statusCode ?? 0, headers: from.headers, text }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Lines of the log with this message. */
  said(message: string): number {
    return this.server.errorOutput.split(`"msg":"${message}`).length - 1;
  }

  close(): void {
    this.agent.destroy();
    this.server.process.kill('SIGKILL');
  }
}

/** Limits the process to the files it has open. */
function limitedFiles({ server }: Market): DeviceFault {
  const pid = String(server.process.pid);
  const limit = (value: string) => {
    const { status, stderr } = spawnSync('prlimit', ['--pid', pid, `--nofile=${value}`]);
    if (status !== 0) throw new Error(String(stderr));
  };
  const before = spawnSync('prlimit', [
    '--pid',
    pid,
    '--nofile',
    '--raw',
    '--noheadings',
    '-o',
    'SOFT',
  ]);
  return { begin: () => limit('20:'), end: () => limit(`${String(before.stdout).trim()}:`) };
}

const SCENARIOS = [
  { name: 'a full disk', isPossible: isMounted, fault: () => fullDisk(disk) },
  { name: 'too many open files', isPossible: canLimit, fault: limitedFiles },
].filter(({ isPossible }) => isPossible);

describe('a service whose store fails (H-03)', () => {
  let market: Market | null = null;

  const start = async (name: string): Promise<Market> => {
    const folder = isMounted ? disk : temporaryFolder();
    mkdirSync(folder, { recursive: true });
    market = new Market(join(folder, name));
    await market.ready();
    return market;
  };

  afterEach(() => market?.close());

  afterAll(() => {
    if (isMounted) spawnSync('umount', ['-l', disk]);
  });

  test.each(SCENARIOS)(
    'for a time, by $name, keeps running, reports it and recovers by itself',
    async (given) => {
      const running = await start(given.name.replaceAll(' ', '-'));
      const device = given.fault(running);
      let slot = '';
      try {
        device.begin();
        const isReported = async () => {
          const { status, text } = await running.ask('/readyz');
          return status === 503 && /store_writable: since .*Z, tried \d+ times: /.test(text);
        };
        await running.until(isReported);
        await delay(FAULT_MS);
        expect((await running.ask('/livez')).status).toBe(200);
        // The service removes files of its own, so that a write may succeed before the disk is full again.
        await running.until(isReported);
        const { headers } = await running.ask('/v1/coverage');
        expect(headers['x-complete']).toBe('false');
        slot = String(headers['x-slot']);
        const conditions = [{ field: 'number_of_buys', operator: 'gt', value: '1' }];
        const trigger = { trigger_id: 'meanwhile', pair_address: POOL, conditions };
        const added = await running.ask('/v1/triggers/add', trigger);
        expect([201, 503]).toContain(added.status);
        if (added.status === 503) expect(added.headers['retry-after']).toBe('1');
      } finally {
        device.end();
      }
      const recoveredMs = await running.until(async () => {
        const [ready, coverage] = [await running.ask('/readyz'), await running.ask('/v1/coverage')];
        const isOn = Number(coverage.headers['x-slot']) > Number(slot);
        return ready.status === 200 && isOn && coverage.headers['x-complete'] === 'true';
      });
      process.stdout.write(`${given.name}: ready again after ${Math.round(recoveredMs)} ms\n`);
      expect(recoveredMs).toBeLessThan(RECOVERY_MAX_MS);
      const began = running.said('writes to the store fail');
      expect([began > 0, began]).toEqual([
        true,
        running.said('the store takes what is written again'),
      ]);
      running.server.process.kill('SIGTERM');
      expect((await running.server.finished).exitCode).toBe(0);
    },
    400_000,
  );

  test('permanently, ends with a message and an exit code', async () => {
    const running = await start('fenced');
    const control = openControlPlane(join(running.dataDir, 'control.sqlite'));
    control.exec('UPDATE writer SET epoch = epoch + 1');
    control.close();
    const { exitCode, stderr } = await running.server.finished;
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mintscope: .*Another process writes to this data folder/m);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

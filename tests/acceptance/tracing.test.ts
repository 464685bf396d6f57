import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';

const START_MS = 90_000;
const PATIENCE_MS = 60_000;
const KEY = 'tracing-test-bootstrap-key';

/** A collector on loopback; `names` are those of the spans that it was sent. */
class Collector {
  readonly names = new Set<string>();
  requests = 0;
  private readonly server: Server;

  constructor(hangs: boolean) {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      request.on('end', () => {
        this.requests++;
        if (hangs) return;
        for (const { scopeSpans } of JSON.parse(text).resourceSpans) {
          for (const { spans } of scopeSpans) for (const { name } of spans) this.names.add(name);
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const opened: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A simulated service that sends traces; `get` reads a page of it. */
async function startTraced(collector: Collector) {
  const endpoint = await collector.listen();
  const options = ['--port', '0', '--data-dir', temporaryFolder(), '--otlp-endpoint', endpoint];
  const service = new RunningCommand(['start', ...options], { MINTSCOPE_BOOTSTRAP_KEY: KEY });
  opened.push(async () => {
    service.process.kill('SIGKILL');
    await service.finished;
    collector.close();
  });
  const [, url] = await service.shows(/listens on (http:\S+);/, START_MS);
  const get = async (path: string) =>
    await (await fetch(`${url}${path}`, { headers: { 'x-api-key': KEY } })).text();
  return { service, get };
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (performance.now() > deadlineMs) throw new Error('it did not happen');
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

function figureOf(page: string, name: string): number {
  const found = page.split('\n').find((line) => line.startsWith(`${name} `));
  return Number(found?.slice(name.length) ?? 0);
}

function slotsOf(page: string): number {
  return figureOf(page, 'mintscope_slots_total');
}

describe('traces of a running service', () => {
  test(
    'have a trace of each slot with all its stages, and a span of each request',
    async () => {
      const collector = new Collector(false);
      const { get } = await startTraced(collector);
      const wanted = ['slot', 'decode', 'apply', 'publish', 'store', 'GET /v1/coverage'];
      await until(async () => {
        await get('/v1/coverage');
        return wanted.every((name) => collector.names.has(name));
      });
      const page = await get('/metrics');
      expect(figureOf(page, 'mintscope_slot_spans_total{result="exported"}')).toBeGreaterThan(0);
      expect(figureOf(page, 'mintscope_request_spans_total{result="exported"}')).toBeGreaterThan(0);
    },
    START_MS + PATIENCE_MS,
  );

  test(
    'do not delay slots, answers or a stop while the collector hangs',
    async () => {
      const collector = new Collector(true);
      const { service, get } = await startTraced(collector);
      await until(() => collector.requests > 0);
      const before = slotsOf(await get('/metrics'));
      await until(async () => slotsOf(await get('/metrics')) > before + 10);
      await until(async () => {
        return figureOf(await get('/metrics'), 'mintscope_slot_spans_total{result="failed"}') > 0;
      });
      service.process.kill('SIGTERM');
      expect((await service.finished).exitCode).toBe(0);
    },
    START_MS + PATIENCE_MS,
  );
});

test('an endpoint with a password is refused: settings that are no secrets are printed', async () => {
  const { finished } = new RunningCommand([
    'start',
    '--otlp-endpoint',
    'http://a:b@localhost:4318',
  ]);
  const { exitCode, stderr } = await finished;
  expect(exitCode).toBe(2);
  expect(stderr).toContain('must be an address such as http://127.0.0.1:4318');
});

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { readOpenMetrics } from '../support/open-metrics.ts';

const START_MS = 300_000;
const PATIENCE_MS = 150_000;
const KEY = 'tracing-test-bootstrap-key';
const STAGES = ['slot', 'decode', 'apply', 'publish', 'store'];
/** What Prometheus 3 sends. */
const PROMETHEUS_ACCEPTS =
  'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

/**
 * What Prometheus' own parser says against a page; empty if it takes it. It reads files as backfill,
 * where every sample has a time, so that each is given one.
 */
function promtoolRefusal(page: string): string {
  const folder = temporaryFolder();
  const timed = page.replace(/^([a-zA-Z_]\w*(?:\{.*?\})? [^ \n]+)(?= # \{|$)/gm, '$1 1790000000');
  writeFileSync(join(folder, 'page'), timed);
  const { status, stderr } = spawnSync(
    'promtool',
    ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'page'), join(folder, 'blocks')],
    { encoding: 'utf8' },
  );
  return status === 0 ? '' : stderr;
}

/** A collector on loopback; `names` are those of the spans that it was sent, `traces` their IDs. */
class Collector {
  readonly names = new Set<string>();
  readonly traces = new Map<string, string>();
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
          for (const { spans } of scopeSpans) {
            for (const { name, traceId } of spans) {
              this.names.add(name);
              this.traces.set(traceId, name);
            }
          }
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
  const get = async (path: string, accept = '*/*') =>
    await (await fetch(`${url}${path}`, { headers: { 'x-api-key': KEY, accept } })).text();
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
    'are named by exemplars on one OpenMetrics page of both threads',
    async ({ skip }) => {
      const collector = new Collector(false);
      const { get } = await startTraced(collector);
      const open = async () => await get('/metrics', PROMETHEUS_ACCEPTS);
      const tracesOf = async (family: string) =>
        readOpenMetrics(await open()).flatMap(({ name, exemplar }) =>
          name === `${family}_bucket` && exemplar !== null ? [exemplar.traceId] : [],
        );
      // Each exemplar's trace reaches the collector, which has it under the name of its root.
      await until(async () => {
        await get('/v1/coverage');
        const slots = await tracesOf('mintscope_slot_visible_seconds');
        const requests = await tracesOf('mintscope_http_request_duration_seconds');
        const names = [slots, requests].map((ids) => ids.map((id) => collector.traces.get(id)));
        return (
          names[0]?.some((name) => STAGES.includes(name ?? '')) === true &&
          names[1]?.includes('GET /v1/coverage') === true
        );
      });
      const page = await open();
      const names = new Set(readOpenMetrics(page).map(({ name }) => name));
      // One of each thread.
      expect(names).toContain('mintscope_open_calls');
      expect(names).toContain('mintscope_slots_total');
      expect(page.match(/# EOF/g)).toHaveLength(1);
      expect(await get('/metrics', 'text/plain')).not.toMatch(/# EOF|trace_id/);

      if (spawnSync('promtool', ['--version']).status !== 0) {
        skip('SKIPPED: promtool is not installed');
      }
      expect(promtoolRefusal(page)).toBe('');
      expect(promtoolRefusal(page.replace('# {trace_id=', '# {trace_id='.repeat(2)))).not.toBe('');
    },
    START_MS + 2 * PATIENCE_MS,
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

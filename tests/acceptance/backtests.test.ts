import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { signalSlots } from '../support/signal-stage.ts';

const KEY = 'backtests-acceptance-test-secret';
const RULE = `name: every-trade
version: 1
kind: signal
title: A rule of a test.
pattern: Any trade.
rationale: None.
look_alikes: [Every trade there is.]
scope: pool_minute
when: pool.swaps >= 1
confidence: 0.5
evidence: [pool.swaps]
cool_down_minutes: 3
`;

interface Job {
  readonly id: string;
  readonly state: string;
  readonly progress: string;
  readonly report: {
    readonly hits: number;
    readonly tries: number;
    readonly look_ahead: { readonly checked_hits: number; readonly faults: readonly unknown[] };
  } | null;
}

const [slots = []] = fc.sample(signalSlots({ minLength: 100, maxLength: 100 }), {
  ...{ seed: 5, numRuns: 1 },
});
const from = new Date(slots[0]?.blockTimeMs ?? 0).toISOString();
const to = new Date((slots.at(-1)?.blockTimeMs ?? 0) + 1).toISOString();

/** Backtests of a service with a stored log, in their own thread. */
describe('backtests of a service', () => {
  const dataDir = temporaryFolder();
  const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent', solUsdFallback: '200' });
  let service: Service;
  let app: FastifyInstance;
  let url = '';

  async function open() {
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    app = await apiInThread(service);
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  }

  async function close() {
    await app.close();
    await service.close();
  }

  beforeAll(async () => {
    await open();
    const items = slots.map((facts) => ({ kind: 'facts', facts }) as const);
    await service.ingestion.ingest(itemSource(items, true));
  });
  afterAll(close);

  async function ask(path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  }

  const jobOf = async (id: string) => (await ask(`/v1/backtests/${id}`)).body as Job;
  const ended = (id: string) =>
    vi.waitFor(
      async () => {
        const job = await jobOf(id);
        expect(job.report ?? job).toHaveProperty('hits');
        return job;
      },
      { timeout: 60_000, interval: 100 },
    );

  /** Resolves once slots were applied: the job is in its middle. */
  const begun = (id: string) =>
    vi.waitFor(
      async () => {
        const { state, progress } = await jobOf(id);
        expect(state).toBe('running');
        expect(Number(progress)).toBeGreaterThan(0);
      },
      { timeout: 60_000, interval: 1 },
    );

  test('are queued, computed and kept over a restart', async () => {
    const added = await ask('/v1/backtests', { rule: RULE, from, to });
    expect(added.status).toBe(201);
    const { id } = added.body as Job;
    const job = await ended(id);
    expect(job).toMatchObject({ state: 'done', progress: '1.0000' });
    expect(job.report?.hits).toBeGreaterThan(5);
    expect(job.report?.look_ahead.checked_hits).toBe(job.report?.hits);
    expect(job.report?.look_ahead.faults).toEqual([]);
    await close();
    await open();
    expect(await jobOf(id)).toEqual(job);
    const list = await ask('/v1/backtests');
    expect(list.body).toMatchObject({ backtests: [{ id, report: null }] });
    // One that a stop interrupts begins again, and has the same figures.
    const again = (await ask('/v1/backtests', { rule: RULE, from, to })).body as Job;
    await begun(again.id);
    await close();
    await open();
    expect((await ended(again.id)).report).toEqual(job.report);
  });

  test('are shown with their proof on the command line', async () => {
    const file = join(temporaryFolder(), 'rule.yaml');
    writeFileSync(file, RULE.replace('version: 1', 'version: 2'));
    const range = ['--from', from, '--to', to, '--url', url];
    const key = { MINTSCOPE_API_KEY: KEY };
    const found = await runCommand(['rules', 'backtest', file, ...range], key);
    expect(found.stderr).not.toContain('mintscope:');
    expect(found.exitCode).toBe(0);
    expect(found.stdout).toContain('every-trade@2+');
    expect(found.stdout).toContain('charged for 2 tries');
    expect(found.stdout).toContain('entered after 10 s');
    const proof = await runCommand(['rules', 'lookahead', file, ...range], key);
    expect(proof.exitCode).toBe(0);
    expect(proof.stdout).toMatch(/the log was cut at \d+ hits, and every feature was the same/);
  });

  test.each([
    [{ rule: RULE }, 400],
    [{ rule: 'name: x', from, to }, 422],
    [{ rule: RULE, from: to, to: from }, 422],
    [{ rule: RULE, from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 422],
    [{ rule: RULE, from, to, failed_share: '2' }, 422],
    [{ rule: RULE, from, to, failed_share: 0.1 }, 400],
    [{ rule: RULE, from, to, look_ahead: 'maybe' }, 422],
  ])('are refused: %o is %d', async (body, status) => {
    const answer = await ask('/v1/backtests', body);
    expect(answer.status).toBe(status);
    expect(answer.body).toHaveProperty('message');
  });

  test('can be cancelled, and are unknown otherwise', async () => {
    const { id } = (await ask('/v1/backtests', { rule: RULE, from, to })).body as Job;
    const cancelled = await ask(`/v1/backtests/${id}`, undefined, 'DELETE');
    expect(cancelled.body).toMatchObject({ state: 'cancelled', report: null });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await ask(`/v1/backtests/${unknown}`)).status).toBe(404);
    expect((await ask(`/v1/backtests/${unknown}`, undefined, 'DELETE')).status).toBe(404);
  });
});

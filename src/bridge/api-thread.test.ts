import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { readConfig } from '../config/config.ts';
import { ThreadError, UsageError } from '../model/errors.ts';
import { openService, type Service } from '../service/app.ts';
import { ApiThread } from './api-thread.ts';
import { LoadedApiThread } from './loaded-api-thread.ts';
import type { ApiSettings } from './messages.ts';

const KEY = 'api-thread-test-key';

describe('the API on its own thread', () => {
  let service: Service;
  let settings: ApiSettings;

  beforeAll(async () => {
    const dataDir = temporaryFolder();
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    const { host, port, logLevel, rateLimitPerMinute, rateLimitBurst, openOps } = config;
    settings = {
      ...{ host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps },
      simulation: null,
    };
  });

  afterAll(async () => {
    await service.close();
  });

  const start = (changes: Partial<ApiSettings> = {}, workerUrl?: URL) =>
    ApiThread.start(service, {
      settings: { ...settings, ...changes },
      lagMaxMs: 60_000,
      ...(workerUrl === undefined ? {} : { thread: new LoadedApiThread(workerUrl) }),
    });
  const ask = async ({ port }: ApiThread, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-api-key': KEY, connection: 'close' },
    });
    return { status: answer.status, text: await answer.text() };
  };

  test('uses the keys of the data folder, and calls the service for other data', async () => {
    const api = await start();
    expect((await fetch(`http://127.0.0.1:${api.port}/v1/coverage`)).status).toBe(401);
    const coverage = await ask(api, '/v1/coverage');
    expect([coverage.status, JSON.parse(coverage.text).slots]).toEqual([200, 0]);
    expect((await ask(api, '/readyz')).status).toBe(200);
    const missing = await ask(api, '/v1/token/So11111111111111111111111111111111111111112');
    expect(missing.status).toBe(404);
    await api.close(1_000);
  });

  test('serves with the settings that its thread was opened with beforehand', async () => {
    const thread = new LoadedApiThread();
    thread.open({ ...settings, openOps: true });
    const api = await ApiThread.start(service, { settings, lagMaxMs: 60_000, thread });
    expect((await fetch(`http://127.0.0.1:${api.port}/metrics`)).status).toBe(200);
    await api.close(1_000);
  });

  test('ends a thread that was opened and never used', async () => {
    const thread = new LoadedApiThread();
    thread.open(settings);
    await thread.discard();
    await expect(Promise.race([thread.failed, thread.ended])).resolves.toBe(0);
  });

  test('returns the metrics of both threads on one page, each family once', async () => {
    const api = await start();
    await ask(api, '/livez');
    const { text } = await ask(api, '/metrics');
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(families).size).toBe(families.length);
    expect(families).toEqual(
      expect.arrayContaining([
        'process_cpu_user_seconds_total',
        'mintscope_http_requests_total',
        'mintscope_live_rows',
        'mintscope_slots_total',
        'mintscope_watched_rows',
      ]),
    );
    const lags = text.matchAll(/^mintscope_event_loop_lag_seconds\{thread="(\w+)"\} (\S+)$/gm);
    expect([...lags].map(([, thread, lag]) => [thread, Number(lag) < 10])).toEqual([
      ['api', true],
      ['service', true],
    ]);
    await api.close(1_000);
  });

  test('reports an occupied port in one sentence', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { readonly port: number };
    const refused = start({ port });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(`Cannot listen on 127.0.0.1 port ${port} (EADDRINUSE)`);
    other.close();
  });

  test('reports in one sentence that it stopped unexpectedly, and can still be closed', async () => {
    const api = await start(
      {},
      new URL('../../tests/support/crashing-api-worker.ts', import.meta.url),
    );
    await expect(api.failed).rejects.toThrow(
      new ThreadError(
        'The thread that answers requests has stopped (this was too much): the service ends. ' +
          'What is final is stored; start it again.',
      ),
    );
    await api.close(1_000);
  });

  test('reports in one sentence that it could not start', async () => {
    const nowhere = new URL('../bridge/no-such-worker.ts', import.meta.url);
    await expect(start({}, nowhere)).rejects.toThrow(
      /^The thread that answers requests has stopped \(Cannot find module/,
    );
  });
});

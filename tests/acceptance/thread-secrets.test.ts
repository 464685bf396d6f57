import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { LoadedApiThread } from '../../src/bridge/loaded-api-thread.ts';
import { readConfig } from '../../src/config/config.ts';
import { GatheringThread } from '../../src/gathering/gathering-thread.ts';
import { WebhookThread } from '../../src/gathering/webhook-thread.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { temporaryFolder } from '../support/command-line.ts';

const WORKER = new URL('../support/environment-worker.ts', import.meta.url);
const dataDir = temporaryFolder();

/** Every thread that reads data of third parties, with a worker that reports what it sees. */
describe('H-10 A-03 no secret of the environment is visible to the thread', () => {
  let service: Service;

  beforeAll(async () => {
    vi.stubEnv('MINTSCOPE_BOOTSTRAP_KEY', 'a secret of the environment');
    // The only variable that a thread gets; without it none is left.
    vi.stubEnv('NODE_COMPILE_CACHE', undefined);
    service = await openService(readConfig({}, { dataDir, logLevel: 'silent' }));
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await service.close();
  });

  test('that answers requests', async () => {
    const place = { dataDir, host: '127.0.0.1', port: 0, logLevel: 'silent' } as const;
    const limits = { rateLimitPerMinute: 600, rateLimitBurst: 100 };
    const started = ApiThread.start(service, {
      settings: { ...place, ...limits, openOps: false, simulation: null },
      lagMaxMs: 60_000,
      thread: new LoadedApiThread(WORKER),
    });
    await expect(started).rejects.toThrow('sees 0 variables');
  });

  test('that reads strangers’ documents', async () => {
    const thread = new GatheringThread({
      settings: {
        ...{ dataDir, logLevel: 'silent', requestsPerSecond: 1 },
        ...{ ipfsGateways: [], arweaveGateways: [] },
      },
      onReady: () => undefined,
      onTaken: () => undefined,
      onLost: () => undefined,
      onUnread: () => undefined,
      workerUrl: WORKER,
    });
    await vi.waitFor(() => expect(thread.counts.counters).not.toEqual([]), 20_000);
    expect(thread.counts.counters).toEqual([{ name: 'environment', samples: [[{}, 0]] }]);
    await thread.close(1_000);
  });

  test('that sends webhooks', async () => {
    const settings = { privateOrigins: [], userAgent: 'Mintscope/test' };
    const thread = new WebhookThread({ settings, workerUrl: WORKER });
    const result = await thread.send({ url: 'https://example.com/', headers: {}, body: '' });
    expect(result).toMatchObject({ kind: 'unanswered', error: 'sees 0 variables' });
    await thread.close();
  });
});

import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../api/logger.ts';
import { openFilesMax } from '../lib/open-files.ts';
import { KeyTable } from '../store/control/api-keys.ts';
import { openControlPlane } from '../store/control/control-plane.ts';
import { type Api, createApi } from './create-api.ts';
import type { ApiRequest } from './messages.ts';

vi.mock('../lib/open-files.ts', () => ({ openFilesMax: vi.fn(() => null) }));

const KEY = 'create-api-test-key';
/** Descriptors a process may have, and those reserved for store and ingestion. */
const FILES = 600;
const RESERVED_FILES = 512;
const TOKEN = 'So11111111111111111111111111111111111111112';

let api: Api | null = null;
const sockets: Socket[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.mocked(openFilesMax).mockReturnValue(null);
  for (const socket of sockets.splice(0)) socket.destroy();
  await api?.app.close();
  api = null;
});

/** The API as created by its thread, with another thread that answers nothing. */
function openApi(): { readonly api: Api; readonly posted: ApiRequest[]; readonly keys: KeyTable } {
  const keys = new KeyTable(openControlPlane(':memory:'));
  keys.installBootstrap(KEY);
  const posted: ApiRequest[] = [];
  const limits = { rateLimitPerMinute: 10_000_000, rateLimitBurst: 1_000_000 };
  api = createApi(
    (message) => posted.push(message),
    { keys },
    { ...limits, openOps: false, simulation: null },
    createLogger({ level: 'silent' }),
  );
  return { api, posted, keys };
}

const headers = { 'x-api-key': KEY };

describe('H-10 the API as created by its thread', () => {
  test('gives a request thirty seconds to arrive and its head ten', async () => {
    const { server } = openApi().api.app;
    expect(server.requestTimeout).toBe(30_000);
    expect(server.headersTimeout).toBe(10_000);
  });

  test('leaves descriptors to the store: beyond the bound the oldest connection is closed', async () => {
    vi.mocked(openFilesMax).mockReturnValue(FILES);
    const { app } = openApi().api;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    let closed = 0;
    for (let count = 0; count <= FILES - RESERVED_FILES; count++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('close', () => closed++);
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    await vi.waitFor(() => expect(closed).toBeGreaterThan(0), 20_000);
  });

  test('sends the other thread a bounded number of questions, and refuses the rest with Retry-After', async () => {
    const { api: made, posted, keys } = openApi();
    await made.app.ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const scopes = ['read'] as const;
    const clients = Array.from({ length: 5 }, (_, index) =>
      keys.create({ accountId: `account ${index}`, scopes, label: '', expiresAtMs: null }),
    );
    // Unanswered calls are still open after their clients were refused.
    let last: { readonly statusCode: number; readonly headers: object }[] = [];
    for (let round = 0; round < 30; round++) {
      const asked = clients.flatMap(({ text }) =>
        [1, 2, 3].map(() => made.app.inject({ url: '/v1/tokens', headers: { 'x-api-key': text } })),
      );
      let isAnswered = false;
      const answered = Promise.all(asked).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered) {
        vi.advanceTimersByTime(1_000);
        await nextTurn();
      }
      last = await answered;
    }
    expect(posted.filter(({ kind }) => kind === 'call')).toHaveLength(256);
    for (const { statusCode, headers: refused } of last) {
      expect([statusCode, refused]).toEqual([503, expect.objectContaining({ 'retry-after': '1' })]);
    }
  });

  test('lets no client wait for the other thread for more than ten seconds', async () => {
    const { api: made, posted } = openApi();
    await made.app.ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let status: number | null = null;
    void made.app.inject({ url: `/v1/token/${TOKEN}`, headers }).then((answer) => {
      status = answer.statusCode;
    });
    while (!posted.some(({ kind }) => kind === 'call')) await nextTurn();
    vi.advanceTimersByTime(10_000);
    for (let turns = 0; turns < 1_000 && status === null; turns++) await nextTurn();
    expect(status).toBe(503);
  });

  test.each(['/v1/nothing', '/v1/wallets/no', '/livez', '/openapi.json'])(
    'protects and names every answer, that to %s too',
    async (url) => {
      const answer = await openApi().api.app.inject({ url, headers });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{12}-/);
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    },
  );
});

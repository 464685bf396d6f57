import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Server, status } from '@grpc/grpc-js';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter } from '../../src/api/http/rate-limit.ts';
import { createGrpcServer } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import { DEFAULT_ACCOUNT, KEY_SCOPES, KeyTable } from '../../src/store/control/api-keys.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { fakeApiDeps } from '../support/fake-api-deps.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';
import { GrpcReader, grpcClient, PROTO_FOLDER } from '../support/grpc-client.ts';
import { StreamReader } from '../support/stream-reader.ts';

/** The limit that every transport promises. */
const PROMISED_MS = 5_000;
const STEP_MS = 100;
const LIFE_MS = 14_200;

let nowMs = 1_700_000_000_000;
const open: { app: FastifyInstance; grpc: Server }[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const { app, grpc } of open.splice(0)) {
    grpc.forceShutdown();
    await app.close();
  }
});

/**
 * Both servers over one control database, which another connection changes like another process.
 */
async function serve() {
  const file = join(temporaryFolder(), 'control.sqlite');
  const clock = { nowMs: () => nowMs };
  const keys = new KeyTable(openControlPlane(file), clock);
  const elsewhere = new KeyTable(openControlPlane(file), clock);
  const request = {
    accountId: DEFAULT_ACCOUNT,
    scopes: KEY_SCOPES,
    label: 'streams',
    expiresAtMs: nowMs + LIFE_MS,
  };
  const { text, key } = elsewhere.create(request);
  const app = fakeApiServer({ keys });
  const grpc = createGrpcServer(fakeApiDeps({ keys }), {
    rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
    streamLimit: new StreamLimit(),
    failedKeys: new FailedKeys(),
  });
  open.push({ app, grpc });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const place = { port: 0, tlsCertFile: null, tlsKeyFile: null };
  const grpcPort = await bindGrpc(grpc, '127.0.0.1', place);
  const { port } = app.server.address() as AddressInfo;
  return { keys, elsewhere, text, keyId: key.keyId, port, grpcPort };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** Opens a stream; resolves with its close code or status. */
const TRANSPORTS: Record<string, (served: Served) => Promise<{ readonly ended: Promise<number> }>> =
  {
    WebSocket: async ({ port, text }) => {
      const url = `ws://127.0.0.1:${port}/v1/market-data/ws`;
      return { ended: (await StreamReader.open(url, text)).closed };
    },
    gRPC: async ({ grpcPort, text }) => {
      const file = join(PROTO_FOLDER, 'guardis/marketdata/v1/market_data.proto');
      const client = grpcClient(grpcPort, file, 'guardis.marketdata.v1.MarketDataService');
      const reader = new GrpcReader(client, 'StreamMarketData', { key: text });
      await reader.admitted;
      return { ended: reader.ended.then(({ code }) => code) };
    },
  };

const ENDS: Record<string, number> = { WebSocket: 1008, gRPC: status.UNAUTHENTICATED };

/** Advances the time in steps, with other uses of the key, until the stream ends. */
async function endAfter(ended: Promise<number>, { keys, text }: Served, fromMs: number) {
  let end: number | null = null;
  void ended.then((code) => {
    end = code;
  });
  while (end === null && nowMs - fromMs < 2 * PROMISED_MS) {
    // Other requests keep the cached key as fresh as possible.
    keys.authenticate(text);
    nowMs += STEP_MS;
    vi.advanceTimersByTime(STEP_MS);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  return { end, afterMs: nowMs - fromMs };
}

describe.each(Object.keys(TRANSPORTS))('a stream over %s (H-09)', (name) => {
  const opening = TRANSPORTS[name] as (typeof TRANSPORTS)[string];

  test.each([0, 700, 1_900, 2_400])(
    'ends within five seconds when another process revokes its key, %i ms after its admission',
    async (delayMs) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const served = await serve();
      const { ended } = await opening(served);
      nowMs += delayMs;
      vi.advanceTimersByTime(delayMs);
      // The key is cached as valid right before it is revoked.
      served.keys.authenticate(served.text);
      served.elsewhere.revoke(served.keyId);
      const { end, afterMs } = await endAfter(ended, served, nowMs);
      expect(end).toBe(ENDS[name]);
      expect(afterMs).toBeLessThanOrEqual(PROMISED_MS);
    },
  );

  test('ends within five seconds after its key expires, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const served = await serve();
    const endsAtMs = nowMs + LIFE_MS;
    const { ended } = await opening(served);
    const { end, afterMs } = await endAfter(ended, served, endsAtMs);
    expect(end).toBe(ENDS[name]);
    expect(afterMs).toBeGreaterThanOrEqual(0);
    expect(afterMs).toBeLessThanOrEqual(PROMISED_MS);
  });
});

import { type ClientHttp2Session, connect } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FAILURES_PER_MINUTE_MAX, FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter } from '../../src/api/http/rate-limit.ts';
import type { BoundedGrpcServer } from '../../src/api/streams/grpc/bounded-grpc-server.ts';
import { MESSAGE_TIMEOUT_MS } from '../../src/api/streams/grpc/early-admission.ts';
import { createGrpcServer } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import { fakeApiDeps, READ_KEY } from '../support/fake-api-deps.ts';

const PATH = '/guardis.marketdata.v1.MarketDataService/StreamMarketData';

let server: BoundedGrpcServer | null = null;
let session: ClientHttp2Session | null = null;

afterEach(() => {
  vi.useRealTimers();
  session?.destroy();
  server?.forceShutdown();
});

async function dial(): Promise<ClientHttp2Session> {
  server = createGrpcServer(fakeApiDeps(), {
    rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
    streamLimit: new StreamLimit(),
    failedKeys: new FailedKeys(),
  });
  const address = { port: 0, tlsCertFile: null, tlsKeyFile: null };
  session = connect(`http://127.0.0.1:${await bindGrpc(server, '127.0.0.1', address)}`);
  session.on('error', () => undefined);
  return session;
}

/** Sends only the headers of a call; resolves with the status that ends it. */
function openSilently(client: ClientHttp2Session, key?: string): Promise<number> {
  const stream = client.request({
    ':method': 'POST',
    ':path': PATH,
    te: 'trailers',
    'content-type': 'application/grpc',
    ...(key !== undefined && { 'x-api-key': key }),
  });
  return new Promise((resolve, reject) => {
    stream.on('response', (headers) => {
      if (headers['grpc-status'] !== undefined) resolve(Number(headers['grpc-status']));
    });
    stream.on('trailers', (headers) => resolve(Number(headers['grpc-status'])));
    stream.on('error', reject);
    stream.resume();
  });
}

describe('a call that sends its headers and no message', () => {
  test('is refused at once without a key', async () => {
    expect(await openSilently(await dial())).toBe(status.UNAUTHENTICATED);
  });

  test('is refused at once with a wrong key, and rate-limited after too many of them', async () => {
    const client = await dial();
    for (let count = 0; count < FAILURES_PER_MINUTE_MAX; count++) {
      expect(await openSilently(client, 'wrong')).toBe(status.UNAUTHENTICATED);
    }
    expect(await openSilently(client, 'wrong')).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('with a valid key is ended when its message does not arrive in time', async () => {
    const client = await dial();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let end: number | null = null;
    void openSilently(client, READ_KEY).then((code) => {
      end = code;
    });
    // The timeout starts only when the server has received the call.
    while (end === null) {
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(MESSAGE_TIMEOUT_MS / 100);
    }
    expect(end).toBe(status.DEADLINE_EXCEEDED);
  });
});

test('a connection may have a limited number of open calls', async () => {
  const client = await dial();
  await new Promise((resolve) => client.once('remoteSettings', resolve));
  expect(client.remoteSettings.maxConcurrentStreams).toBe(128);
});

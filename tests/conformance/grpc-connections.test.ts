import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionLimits } from '../../src/api/http/connection-bound.ts';
import { FailedKeys } from '../../src/api/http/failed-keys.ts';
import { createRateLimiter } from '../../src/api/http/rate-limit.ts';
import type { BoundedGrpcServer } from '../../src/api/streams/grpc/bounded-grpc-server.ts';
import { createGrpcServer } from '../../src/api/streams/grpc/grpc-server.ts';
import { StreamLimit } from '../../src/api/streams/stream-limit.ts';
import { bindGrpc } from '../../src/bridge/listen.ts';
import { fakeApiDeps, READ_KEY } from '../support/fake-api-deps.ts';

const PATH = '/guardis.marketdata.v1.MarketDataService/StreamMarketData';
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const PING = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
/**
 * Increases the window by one byte: it has no response, so no queue of responses ends the
 * connection.
 */
const WINDOW_UPDATE = Buffer.from([0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function serve(
  connections: ConnectionLimits,
): Promise<{ readonly server: BoundedGrpcServer; readonly port: number }> {
  const server = createGrpcServer(fakeApiDeps(), {
    rateLimiter: createRateLimiter({ perMinute: 600, burst: 100 }),
    streamLimit: new StreamLimit(),
    failedKeys: new FailedKeys(),
    connections,
  });
  closing.push(() => server.forceShutdown());
  const place = { port: 0, tlsCertFile: null, tlsKeyFile: null };
  return { server, port: await bindGrpc(server, '127.0.0.1', place) };
}

async function dialSilently(port: number): Promise<Socket> {
  const socket = connectSocket(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** An open session whose first call was admitted. */
async function dialWithKey(port: number): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${port}`);
  closing.push(() => session.destroy());
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': PATH,
    te: 'trailers',
    'content-type': 'application/grpc',
    'x-api-key': READ_KEY,
  });
  stream.on('error', () => undefined);
  // An empty message.
  stream.end(Buffer.alloc(5));
  await new Promise((resolve) => stream.once('response', resolve));
  return session;
}

const isClosed = (socket: Socket) => expect.poll(() => socket.closed, { timeout: 120_000 });

describe('connections over gRPC', () => {
  test('are limited in number, and those with an admitted call stay open', async () => {
    const { server, port } = await serve({ max: 3, unadmittedPerNetworkMax: 3 });
    const admitted = await dialWithKey(port);
    const silent: Socket[] = [];
    for (let count = 0; count < 20; count++) {
      silent.push(await dialSilently(port));
      expect(server.size).toBeLessThanOrEqual(3);
    }
    for (const socket of silent.slice(0, 18)) await isClosed(socket).toBe(true);
    expect([admitted.destroyed, server.size]).toEqual([false, 3]);
  });

  test.each([
    ['pings', PING],
    ['window updates', WINDOW_UPDATE],
  ])('are closed when they flood the server with %s', async (_, frame) => {
    const { server, port } = await serve({ max: 10 });
    const admitted = await dialWithKey(port);
    const flooding = await dialSilently(port);
    const frames = Buffer.concat(Array.from({ length: 1_000 }, () => frame));
    const flood = () => {
      while (!flooding.destroyed && flooding.write(frames));
    };
    flooding.on('drain', flood);
    flooding.write(PREFACE);
    flooding.write(SETTINGS);
    flood();
    await isClosed(flooding).toBe(true);
    await expect.poll(() => server.size).toBe(1);
    expect(admitted.destroyed).toBe(false);
  });

  test('may send occasional pings without a key', async () => {
    const { server, port } = await serve({ max: 10 });
    const session = connect(`http://127.0.0.1:${port}`);
    closing.push(() => session.destroy());
    await once(session, 'connect');
    for (let count = 0; count < 200; count++) {
      await new Promise<void>((resolve, reject) => {
        session.ping((error) => (error === null ? resolve() : reject(error)));
      });
    }
    expect([session.destroyed, server.size]).toEqual([false, 1]);
  });

  test('end after a while without an admitted call', async () => {
    let passedMs = 0;
    const nowMs = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs() + passedMs);
    closing.push(() => clock.mockRestore());
    const { server, port } = await serve({ max: 10 });
    const admitted = await dialWithKey(port);
    const silent = await dialSilently(port);
    await expect.poll(() => server.size).toBe(2);
    passedMs = 121_000;
    await isClosed(silent).toBe(true);
    expect([admitted.destroyed, server.size]).toEqual([false, 1]);
  });

  test('end with the server, including idle ones', async () => {
    const { server, port } = await serve({ max: 10 });
    const silent = await dialSilently(port);
    server.forceShutdown();
    await isClosed(silent).toBe(true);
    const refused = connectSocket(port, '127.0.0.1');
    const [error] = await once(refused, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

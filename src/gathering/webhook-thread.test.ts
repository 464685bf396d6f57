import type { RequestListener, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SOON_MS } from '../../tests/support/slow-machine.ts';
import { listenHttp, listenRaw, type TestServer } from '../../tests/support/stranger-listeners.ts';
import type { AttemptResult } from '../alerts/webhooks/attempt-verdict.ts';
import { WebhookThread, type WebhookThreadOptions } from './webhook-thread.ts';

const hangs = () => undefined;
const servers: TestServer[] = [];
let answer: RequestListener = hangs;
let receiver: TestServer;
let drips: TestServer;
/** Shared by all attempts: each would take half a second to start. */
let shared: WebhookThread;

async function open(server: Promise<TestServer>): Promise<TestServer> {
  servers.push(await server);
  return await server;
}

beforeAll(async () => {
  receiver = await open(listenHttp((request, response) => answer(request, response)));
  drips = await open(
    listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-more: x\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    }),
  );
  shared = thread([receiver.port, drips.port]);
});

afterAll(async () => {
  await shared.close();
  await Promise.all(servers.map((server) => server.close()));
});

function thread(ports: readonly number[], options: Partial<WebhookThreadOptions> = {}) {
  const privateOrigins = ports.map((port) => `http://127.0.0.1:${port}`);
  const settings = { privateOrigins, userAgent: 'Mintscope/test', timeoutMs: 1_500 };
  return new WebhookThread({ settings, ...options });
}

const send = (made: WebhookThread, port: number, host = '127.0.0.1') =>
  made.send({
    url: `http://${host}:${port}/hook`,
    headers: { 'webhook-id': 'an id', 'content-type': 'application/json' },
    body: '{"type":"ping"}',
  });

/** The result of one attempt at a receiver with this response. */
async function outcomeOf(given: (response: ServerResponse) => void): Promise<AttemptResult> {
  answer = (_, response) => given(response);
  return await send(shared, receiver.port);
}

describe('an attempt', () => {
  test('is a POST with the headers and the body, to the byte', async () => {
    let body = '';
    answer = (request, response) => {
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => response.writeHead(204).end());
    };
    const result = await send(shared, receiver.port);
    expect(result).toMatchObject({ kind: 'answered', status: 204, retryAfter: null });
    expect(receiver.requests[0]?.line).toBe('POST /hook');
    expect(receiver.requests[0]?.headers).toMatchObject({
      'webhook-id': 'an id',
      'content-type': 'application/json',
      'content-length': '15',
      'user-agent': 'Mintscope/test',
    });
    expect(body).toBe('{"type":"ping"}');
  });

  test.each([200, 410, 500])('returns the status %i of the receiver', async (status) => {
    const result = await outcomeOf((response) => response.writeHead(status).end());
    expect(result).toMatchObject({ kind: 'answered', status });
  });

  test('returns the Retry-After of the receiver', async () => {
    const result = await outcomeOf((response) =>
      response.writeHead(503, { 'retry-after': '120' }).end(),
    );
    expect(result).toMatchObject({ kind: 'answered', status: 503, retryAfter: '120' });
  });

  test('does not wait for a body, regardless of its length and speed', async () => {
    const huge = await outcomeOf((response) => {
      response.writeHead(200, { 'content-length': '99999999999' });
      response.write('x'.repeat(100_000));
    });
    expect(huge).toMatchObject({ kind: 'answered', status: 200 });
  });

  test('ends without an answer when the receiver hangs, or sends its headers slowly', async () => {
    expect(await outcomeOf(hangs)).toMatchObject({ kind: 'unanswered', error: 'timed-out' });
    const started = performance.now();
    const result = await send(shared, drips.port);
    expect(result).toMatchObject({ kind: 'unanswered', error: 'timed-out' });
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });

  test('H-10 A-19 gives a receiver five seconds by default', async () => {
    answer = hangs;
    const settings = { privateOrigins: [`http://127.0.0.1:${receiver.port}`], userAgent: 'x' };
    const made = thread([], { settings });
    const result = await send(made, receiver.port);
    expect(result).toMatchObject({ kind: 'unanswered', error: 'timed-out' });
    const { durationMs } = result as Extract<AttemptResult, { readonly kind: 'unanswered' }>;
    expect(durationMs).toBeGreaterThan(4_900);
    expect(durationMs).toBeLessThan(SOON_MS);
    await made.close();
  });

  test('follows no redirect, in particular to private addresses', async () => {
    const secret = await open(listenHttp((_, response) => response.end('secret')));
    const location = `http://127.0.0.1:${secret.port}/`;
    for (const status of [301, 302, 307, 308]) {
      const result = await outcomeOf((response) => response.writeHead(status, { location }).end());
      expect(result).toMatchObject({ kind: 'unanswered', error: 'redirect-not-followed' });
    }
    expect(secret.connections()).toBe(0);
  });

  test('may use a local host name that the operator allowed', async () => {
    answer = (_, response) => response.end();
    const settings = { privateOrigins: [`http://localhost:${receiver.port}`], userAgent: 'x' };
    const made = thread([], { settings });
    const result = await send(made, receiver.port, 'localhost');
    expect(result).toMatchObject({ kind: 'answered', status: 200 });
    await made.close();
  });

  test('uses no private address that the operator did not allow', async () => {
    const other = await open(listenHttp((_, response) => response.end(), '127.0.0.2'));
    const before = receiver.connections();
    const refusals = [
      await send(shared, other.port, '127.0.0.2'),
      await shared.send({ url: 'https://127.0.0.2:443/', headers: {}, body: '' }),
      await shared.send({ url: 'https://localhost/', headers: {}, body: '' }),
    ];
    expect(refusals.map((result) => result.kind === 'unanswered' && result.error)).toEqual([
      'scheme-not-allowed',
      'address-not-public',
      'local-name',
    ]);
    expect([receiver.connections() - before, other.connections()]).toEqual([0, 0]);
  });
});

describe('the thread', () => {
  test('that ends unexpectedly interrupts its attempts, and waits before its restart', async () => {
    const reasons: string[] = [];
    const made = thread([1], {
      workerUrl: new URL('../../tests/support/crashing-api-worker.ts', import.meta.url),
      onStopped: (reason) => reasons.push(reason),
    });
    const results = await Promise.all([send(made, 1), send(made, 1)]);
    expect(results).toEqual([{ kind: 'interrupted' }, { kind: 'interrupted' }]);
    expect([reasons, made.stops]).toEqual([['this was too much'], 1]);
    // Not restarted immediately.
    expect(await send(made, 1)).toEqual({ kind: 'interrupted' });
    expect(made.stops).toBe(1);
    await made.close();
  });

  test('sends nothing once it is closed, and interrupts unanswered requests', async () => {
    answer = hangs;
    const before = receiver.connections();
    const settings = { privateOrigins: [`http://127.0.0.1:${receiver.port}`], userAgent: 'x' };
    const made = thread([], { settings });
    const hanging = send(made, receiver.port);
    const connections = () => receiver.connections() - before;
    await expect.poll(connections, { timeout: 120_000 }).toBe(1);
    await made.close();
    expect(await hanging).toEqual({ kind: 'interrupted' });
    expect(await send(made, receiver.port)).toEqual({ kind: 'interrupted' });
    expect([made.isTaking, made.isOpen]).toEqual([false, false]);
    expect(connections()).toBe(1);
  });
});

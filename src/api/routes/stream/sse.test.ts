import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  fakeApiDeps,
  fakePool,
  MINT,
  POOL,
  READ_KEY,
  REVIEW_KEY,
  SLOT_TIME_MS,
} from '../../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, getAsReader } from '../../../../tests/support/fake-api-server.ts';
import { assertDocumentedEvent } from '../../../../tests/support/stream-conformance.ts';
import { asSlot } from '../../../model/units.ts';
import type { ApiDeps } from '../../deps.ts';
import { BUFFERED_BYTES_MAX } from '../../streams/stream-client.ts';
import { StreamLimit } from '../../streams/stream-limit.ts';
import { COMMENT_MS } from '../../streams/topics/event-streams.ts';

const servers: FastifyInstance[] = [];
const requests: ClientRequest[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const request of requests.splice(0)) request.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function serving(overrides: Partial<ApiDeps> = {}, streamLimit = new StreamLimit()) {
  const deps = fakeApiDeps(overrides);
  const server = fakeApiServer(deps, { streamLimit });
  servers.push(server);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const take = (slot: number, isUndone = false, count = 1) =>
    deps.hub.take({
      ...{ slot: asSlot(slot), timeMs: SLOT_TIME_MS, solUsd: null, finalSlot: null, isUndone },
      items: Array.from({ length: count }, () => ({ topic: 'pool', pool: fakePool() }) as const),
    });
  return { hub: deps.hub, server, take, url: `http://127.0.0.1:${port}/v1/stream/sse` };
}

/** Opens a stream; `text` is what has arrived so far. */
async function open(url: string, headers: Record<string, string> = {}) {
  const request = get(url, { headers: { 'x-api-key': READ_KEY, ...headers } });
  requests.push(request);
  const response = await new Promise<IncomingMessage>((resolve) =>
    request.once('response', resolve),
  );
  const stream = { response, text: '', isClosed: false };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    stream.text += chunk;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    stream.isClosed = true;
  });
  return stream;
}

/** Events that have arrived, without comments and the padding. */
function eventsOf({ text }: { readonly text: string }) {
  return text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => !block.startsWith(':') && !block.startsWith('retry:'))
    .map((block) => {
      const event: Readonly<Record<string, string>> = Object.fromEntries(
        block.split('\n').map((line) => line.split(/: (.*)/s)),
      );
      assertDocumentedEvent(event.event ?? null, JSON.parse(event.data ?? ''));
      return event;
    });
}

describe('GET /v1/stream/sse', () => {
  test('sends the messages of a topic as events that browsers can resume from', async () => {
    const { url, take } = await serving();
    const stream = await open(`${url}?topic=pool&pair_address=${POOL}`);
    await vi.waitFor(() => expect(eventsOf(stream)).toHaveLength(1));
    take(2);
    take(2, true);
    await vi.waitFor(() => expect(eventsOf(stream)).toHaveLength(3));
    const [ack, message, undo] = eventsOf(stream);
    expect(ack).toEqual({ event: 'ack', id: '1000', data: '{"seq":1000,"slot":300000000}' });
    expect(message).toEqual({ id: '1001', data: expect.any(String) });
    const data = JSON.parse(message?.data ?? '');
    expect(data).toMatchObject({
      topic: 'pool',
      seq: 1_001,
      slot: 2,
      data: { pair_address: POOL },
    });
    expect(JSON.parse(undo?.data ?? '')).toEqual({ ...data, seq: 1_002, undo: true });
  });

  test('begins with more than proxies collect, and forbids them to store or compress', async () => {
    const { url } = await serving();
    const stream = await open(`${url}?topic=chain`);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    await vi.waitFor(() => expect(eventsOf(stream)).toHaveLength(1));
    expect(stream.text).toMatch(/^: {2048}\n\nretry: 2000\n\n/);
  });

  test.each([
    ['Last-Event-ID', '', { 'last-event-id': '1001' }],
    ['since', '&since=1001', {}],
    ['Last-Event-ID before since', '&since=5', { 'last-event-id': '1001' }],
  ])('resumes after %s', async (_, query, headers) => {
    const { url, take } = await serving();
    const first = await open(`${url}?topic=pool`);
    await vi.waitFor(() => expect(eventsOf(first)).toHaveLength(1));
    for (const slot of [2, 3]) take(slot);
    const stream = await open(`${url}?topic=pool${query}`, headers as Record<string, string>);
    await vi.waitFor(() => expect(eventsOf(stream)).toHaveLength(2));
    expect(eventsOf(stream).map(({ id }) => id)).toEqual(['1001', '1002']);
  });

  test('reports what is no longer available, with an id to resume from', async () => {
    const { url } = await serving();
    const stream = await open(`${url}?topic=pool&since=7`);
    await vi.waitFor(() => expect(eventsOf(stream)).toHaveLength(2));
    expect(eventsOf(stream)[1]).toEqual({
      event: 'gap',
      id: '1000',
      data: '{"from_seq":8,"to_seq":1000,"seq":1000}',
    });
  });

  test('sends a comment every 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { url } = await serving();
    const stream = await open(`${url}?topic=chain`);
    await vi.waitFor(() => expect(eventsOf(stream)).toHaveLength(1));
    vi.advanceTimersByTime(COMMENT_MS);
    await vi.waitFor(() => expect(stream.text).toMatch(/:\n\n$/));
  });

  test('ends soon after its key was revoked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let isRevoked = false;
    const { keys } = fakeApiDeps();
    const limit = new StreamLimit();
    const { url, hub } = await serving(
      { keys: { authenticate: (text) => (isRevoked ? null : keys.authenticate(text)) } },
      limit,
    );
    const stream = await open(`${url}?topic=chain`);
    isRevoked = true;
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(() => expect(stream.isClosed).toBe(true));
    expect([hub.subscriptions, limit.size]).toEqual([0, 0]);
  });

  test('ends when the service stops', async () => {
    const { url, server } = await serving();
    const stream = await open(`${url}?topic=chain`);
    await server.close();
    await vi.waitFor(() => expect(stream.isClosed).toBe(true));
  });

  test('of a client that leaves is no longer counted', async () => {
    const limit = new StreamLimit();
    const { url, hub } = await serving({}, limit);
    const stream = await open(`${url}?topic=chain`);
    expect([hub.subscriptions, limit.size]).toEqual([1, 1]);
    stream.response.destroy();
    await vi.waitFor(() => expect([hub.subscriptions, limit.size]).toEqual([0, 0]));
  });

  test('is cut off for a client that stops reading', async () => {
    const { url, hub, take } = await serving();
    const stream = await open(`${url}?topic=pool`);
    stream.response.pause();
    // Kernel buffers take several megabytes before this process has to buffer anything.
    const sentMax = (BUFFERED_BYTES_MAX + 16_000_000) / 300 / 500;
    for (let slot = 2; slot < sentMax && hub.subscriptions > 0; slot++) {
      take(slot, false, 500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.response.resume();
    await vi.waitFor(() => expect(hub.subscriptions).toBe(0));
  });

  test.each([
    ['no topic', '', {}, 400],
    ['an unknown topic', '?topic=pools', {}, 422],
    ['a parameter of another topic', `?topic=chain&token_address=${MINT}`, {}, 422],
    ['an unknown parameter', '?topic=chain&token=1', {}, 400],
    ['a missing scope', '?topic=wallet', {}, 422],
    ['two scopes', `?topic=pool&token_address=${MINT}&pair_address=${POOL}`, {}, 422],
    ['a bad address', '?topic=token&token_address=abc', {}, 422],
    ['a bad position', '?topic=chain&since=-1', {}, 400],
    ['a bad Last-Event-ID', '?topic=chain', { 'last-event-id': 'x' }, 400],
    ['a Last-Event-ID that is too large', '?topic=chain', { 'last-event-id': '9'.repeat(17) }, 400],
    ['a wrong key', '?topic=chain', { 'x-api-key': 'tik_wrong' }, 401],
    ['a key without the scope', '?topic=chain', { 'x-api-key': REVIEW_KEY }, 403],
  ])('is refused with the common error body for %s', async (_, query, headers, status) => {
    const server = fakeApiServer();
    const answer = await server.inject({
      url: `/v1/stream/sse${query}`,
      headers: { 'x-api-key': READ_KEY, ...headers },
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ code: status, message: expect.stringMatching(/[.?]$/) });
  });

  test('is refused when the account has as many streams open as allowed', async () => {
    const limit = new StreamLimit(1);
    const { url, server } = await serving({}, limit);
    await open(`${url}?topic=chain`);
    const answer = await getAsReader(server, '/v1/stream/sse?topic=chain');
    expect(answer.statusCode).toBe(429);
  });
});

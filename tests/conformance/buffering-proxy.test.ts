import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { COMMENT_MS } from '../../src/api/streams/topics/event-streams.ts';
import { asSlot } from '../../src/model/units.ts';
import { BufferingProxy, type BufferingProxyOptions } from '../support/buffering-proxy.ts';
import { fakeApiDeps, fakePool, READ_KEY, SLOT_TIME_MS } from '../support/fake-api-deps.ts';
import { fakeApiServer } from '../support/fake-api-server.ts';

/** nginx collects pages of 4 or 8 KiB into 16 KiB and more, and waits 60 s; others wait only 30 s. */
const NGINX: BufferingProxyOptions = {
  bufferBytes: 16_384,
  honoursHeader: true,
  collectsAll: true,
  silenceMsMax: 30_000,
};
/** Knows nothing of the header. */
const STUBBORN: BufferingProxyOptions = { ...NGINX, honoursHeader: false };

const servers: FastifyInstance[] = [];
const proxies: BufferingProxy[] = [];
const requests: ClientRequest[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const request of requests.splice(0)) request.destroy();
  for (const proxy of proxies.splice(0)) await proxy.close();
  for (const server of servers.splice(0)) await server.close();
});

/** A service behind a proxy. */
async function behind(options: BufferingProxyOptions) {
  const deps = fakeApiDeps();
  const server = fakeApiServer(deps);
  servers.push(server);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const proxy = new BufferingProxy((server.server.address() as AddressInfo).port, options);
  proxies.push(proxy);
  const port = await proxy.listen();
  /** One event. */
  const change = (slot: number) =>
    deps.hub.take({
      ...{ slot: asSlot(slot), timeMs: SLOT_TIME_MS, solUsd: null, finalSlot: null },
      isUndone: false,
      items: [{ topic: 'pool', pool: fakePool() }],
    });
  return { proxy, change, url: `http://127.0.0.1:${port}/v1/stream/sse?topic=pool` };
}

interface Reading {
  readonly status: number | undefined;
  text: string;
  isClosed: boolean;
}

/** Opens a stream; `text` is what has arrived so far. */
async function open(url: string): Promise<Reading> {
  const request = get(url, { headers: { 'x-api-key': READ_KEY } });
  requests.push(request);
  const response = await new Promise<IncomingMessage>((resolve) =>
    request.once('response', resolve),
  );
  const reading: Reading = { status: response.statusCode, text: '', isClosed: false };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    reading.text += chunk;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    reading.isClosed = true;
  });
  return reading;
}

/** A slow machine takes its time; what is late is not what is tested. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 120_000 });

const slotsIn = (text: string) =>
  [...text.matchAll(/"topic":"pool","seq":\d+,"slot":(\d+)/g)].map(([, slot]) => Number(slot));

describe('server-sent events behind a proxy that collects answers (A-20)', () => {
  test('come through one by one where the proxy honours X-Accel-Buffering', async () => {
    const { change, proxy, url } = await behind(NGINX);
    const stream = await open(url);
    await eventually(() => expect(stream.text).toContain('event: ack'));
    for (const slot of [2, 3, 4]) {
      change(slot);
      // Nothing follows that would push it on.
      await eventually(() => expect(slotsIn(stream.text).at(-1)).toBe(slot));
    }
    expect(proxy.heldText).toBe('');
  });

  test('come through where only the first 2 KiB are collected, because of the padding', async () => {
    const { change, url } = await behind({ ...STUBBORN, bufferBytes: 2_048, collectsAll: false });
    const stream = await open(url);
    await eventually(() => expect(stream.text).toContain('event: ack'));
    change(2);
    await eventually(() => expect(slotsIn(stream.text)).toEqual([2]));
  });

  test('are late where the proxy collects all the same, which a client sees by the missing ack', async () => {
    const { change, proxy, url } = await behind(STUBBORN);
    const stream = await open(url);
    change(2);
    await eventually(() => expect(slotsIn(proxy.heldText)).toEqual([2]));
    // The head has arrived, and not one byte of what the service sent at once.
    expect([stream.status, stream.text]).toEqual([200, '']);
    for (let slot = 3; slot < 100; slot++) change(slot);
    await eventually(() => expect(slotsIn(stream.text).length).toBeGreaterThan(0));
    // Nothing is lost or out of order.
    const arrived = slotsIn(stream.text);
    expect(arrived).toEqual(arrived.map((_, index) => index + 2));
    await eventually(() => {
      const all = slotsIn(stream.text + proxy.heldText);
      expect(all).toEqual(Array.from({ length: 98 }, (_, index) => index + 2));
    });
  });

  test.each([
    ['honours the header', NGINX],
    ['collects all the same', STUBBORN],
  ])('keep the connection from being idle where the proxy %s', async (_, options) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { proxy, url } = await behind(options);
    const stream = await open(url);
    await eventually(() => expect(proxy.receivedBytes).toBeGreaterThan(2_048));
    for (let comments = 1; comments <= 10; comments++) {
      const before = proxy.receivedBytes;
      proxy.wait(COMMENT_MS);
      vi.advanceTimersByTime(COMMENT_MS);
      await eventually(() => expect(proxy.receivedBytes).toBeGreaterThan(before));
    }
    expect([proxy.openAnswers, stream.isClosed]).toEqual([1, false]);
    // The proxy does cut off what is silent.
    proxy.wait(options.silenceMsMax + 1);
    await eventually(() => expect(stream.isClosed).toBe(true));
  });

  test('that were held or lost with the proxy are sent to a client that resumes', async () => {
    const { change, proxy, url } = await behind(STUBBORN);
    const first = await open(url);
    await eventually(() => expect(proxy.heldText).toContain('event: ack'));
    for (const slot of [2, 3, 4]) change(slot);
    await eventually(() => expect(slotsIn(proxy.heldText)).toEqual([2, 3, 4]));
    proxy.wait(STUBBORN.silenceMsMax + 1);
    await eventually(() => expect(first.isClosed).toBe(true));
    const again = await open(`${url}&since=1001`);
    for (let slot = 5; slot < 100; slot++) change(slot);
    await eventually(() => expect(slotsIn(again.text).slice(0, 3)).toEqual([3, 4, 5]));
  });
});

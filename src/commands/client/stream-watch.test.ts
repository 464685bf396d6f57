import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { fakeApiDeps, READ_KEY, SLOT_TIME_MS } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { TopicHub } from '../../api/streams/topics/topic-hub.ts';
import { asSlot } from '../../model/units.ts';
import { watchStream } from './stream-watch.ts';
import type { StreamMessage } from './watch-line.ts';

const servers: FastifyInstance[] = [];
const stopping: AbortController[] = [];

afterEach(async () => {
  for (const each of stopping.splice(0)) each.abort();
  for (const server of servers.splice(0)) await server.close();
});

/** A service of a new process; `take` applies a slot that the topic `chain` sends. */
async function serving(port = 0, deps = fakeApiDeps()) {
  const server = fakeApiServer(deps, { isSimulated: true });
  servers.push(server);
  await server.listen({ port, host: '127.0.0.1' });
  const take = (slot: number) =>
    deps.hub.take({
      slot: asSlot(slot),
      timeMs: SLOT_TIME_MS,
      solUsd: null,
      finalSlot: null,
      isUndone: false,
      items: [{ topic: 'chain' }],
    });
  return { server, deps, take, port: (server.server.address() as AddressInfo).port };
}

function watching(port: number, topics = [{ topic: 'chain' as const, params: {} }]) {
  const slots: number[] = [];
  const texts: string[] = [];
  const gaps: string[] = [];
  const notices: string[] = [];
  const controller = new AbortController();
  stopping.push(controller);
  const ended = watchStream({
    address: { baseUrl: new URL(`http://127.0.0.1:${port}`), key: READ_KEY },
    topics,
    signal: controller.signal,
    onMessage: ({ slot }: StreamMessage, text) => {
      slots.push(slot);
      texts.push(text);
    },
    onGap: (text) => gaps.push(text),
    onNotice: (sentence) => notices.push(sentence),
    retryMs: 20,
  });
  return { slots, texts, gaps, notices, ended, stop: () => controller.abort() };
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('it did not become true');
    await new Promise((wake) => setTimeout(wake, 5));
  }
}

test('messages come in order and unchanged, and a simulated chain is named once', async () => {
  const { port, take, deps } = await serving();
  const watch = watching(port);
  await until(() => deps.hub.subscriptions > 0);
  take(10);
  take(11);
  await until(() => watch.slots.length === 2);
  expect(watch.slots).toEqual([10, 11]);
  expect(JSON.parse(watch.texts[0] ?? '')).toMatchObject({ id: 0, topic: 'chain', slot: 10 });
  watch.stop();
  await watch.ended;
  expect(watch.notices).toEqual(['The chain is simulated: nothing here is on a real one.']);
});

test('after a lost connection the missed messages follow, none twice', async () => {
  const { server, port, take, deps } = await serving();
  const watch = watching(port);
  await until(() => deps.hub.subscriptions > 0);
  take(10);
  await until(() => watch.slots.length === 1);
  await server.close();
  take(11);
  take(12);
  // The same log of messages, as after an interruption of the network.
  await serving(port, deps);
  await until(() => watch.slots.length === 3);
  take(13);
  await until(() => watch.slots.length === 4);
  expect(watch.slots).toEqual([10, 11, 12, 13]);
  expect(watch.gaps).toEqual([]);
  expect(watch.notices[1]).toMatch(
    /closed the stream: .*shutting down\. Trying again in 0\.02 s\.$/,
  );
});

test('a service of a new process reports what is missing, and watching goes on', async () => {
  const { server, port, take, deps } = await serving();
  const watch = watching(port);
  await until(() => deps.hub.subscriptions > 0);
  take(10);
  await until(() => watch.slots.length === 1);
  await server.close();
  // Its numbers begin with its clock.
  const hub = new TopicHub({
    nowMs: () => 2,
    currentSlot: () => asSlot(20),
    onWanted: (id) => hub.confirm(id, true),
  });
  const next = await serving(port, fakeApiDeps({ hub }));
  await until(() => watch.gaps.length === 1);
  next.take(20);
  await until(() => watch.slots.length === 2);
  expect(watch.slots).toEqual([10, 20]);
  expect(JSON.parse(watch.gaps[0] ?? '')).toMatchObject({ op: 'gap', id: 0 });
});

test('a key that is revoked meanwhile ends watching with a sentence', async () => {
  const { server, port, deps } = await serving();
  const watch = watching(port);
  await until(() => deps.hub.subscriptions > 0);
  await server.close();
  await serving(port, fakeApiDeps({ keys: { authenticate: () => null } }));
  await expect(watch.ended).rejects.toThrow('does not know this API key');
});

test('what the service refuses to watch ends it', async () => {
  const { port } = await serving();
  const watch = watching(port, [{ topic: 'chain', params: { side: 'buy' } as never }]);
  await expect(watch.ended).rejects.toThrow(/^side is not a parameter/);
});

test.each(['text', 'null', '{"topic":"chain"}', '{"topic":"other","slot":1}'])(
  'a server that sends %s is no service, and is asked again later',
  async (text) => {
    const other = new WebSocketServer({ noServer: true });
    let connections = 0;
    other.on('connection', (socket) => {
      connections++;
      socket.send(text);
    });
    const http = createServer((_, reply) => reply.end('{}'));
    http.on('upgrade', (request, socket, head) =>
      other.handleUpgrade(request, socket, head, (client) => other.emit('connection', client)),
    );
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const watch = watching((http.address() as AddressInfo).port);
    await until(() => connections > 1);
    expect(watch.slots).toEqual([]);
    expect(watch.notices[0]).toContain('sent what is no message of the stream. Trying again');
    watch.stop();
    await watch.ended;
    http.closeAllConnections();
    http.close();
  },
);

import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { asSlot } from '../../../src/model/units.ts';
import { DOCUMENT_VERSION } from '../../../tests/support/document-version.ts';
import { fakeApiDeps, fakePool, POOL, READ_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { TcpProxy } from '../../../tests/support/tcp-proxy.ts';
import { MintscopeClient } from './client.ts';
import { ApiError, BadAnswerError } from './errors.ts';
import type { StreamEvent, StreamSettings } from './stream-types.ts';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const FAST: StreamSettings = { reconnectMs: [1, 20] };

/** Serves `deps` at a port; 0 for any. */
async function serve(deps: ApiDeps, port = 0): Promise<FastifyInstance> {
  const server = fakeApiServer(deps, { version: DOCUMENT_VERSION });
  const sockets = new Set<Socket>();
  SOCKETS.set(server, sockets);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await server.listen({ port, host: '127.0.0.1' });
  return server;
}

const SOCKETS = new Map<FastifyInstance, ReadonlySet<Socket>>();

const socketsOf = (server: FastifyInstance) => [...(SOCKETS.get(server) ?? [])];

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port;

/** Publishes one pool of this slot; `isUndone` takes it back. */
function publish({ hub }: ApiDeps, slot: number, isUndone = false): void {
  hub.take({
    ...{ slot: asSlot(slot), timeMs: null, solUsd: null, finalSlot: null, isUndone },
    items: [{ topic: 'pool', pool: fakePool() }],
  });
  // A subscription that does not resume begins after this.
  hub.published();
}

function clientAt(port: number, key = READ_KEY): MintscopeClient {
  return new MintscopeClient({ baseUrl: `http://127.0.0.1:${port}`, key, attempts: 1 });
}

const pool = { topic: 'pool', params: { pair_address: POOL } } as const;

/** Reads events until `isLast`. */
async function collect(
  stream: AsyncIterable<StreamEvent<'pool'>>,
  isLast: (event: StreamEvent<'pool'>, count: number) => boolean,
) {
  const events: StreamEvent<'pool'>[] = [];
  for await (const event of stream) {
    events.push(event);
    if (isLast(event, events.length)) break;
  }
  return events;
}

/** The same events for a consumer that needs time for each. */
async function* slowed<Event>(stream: AsyncIterable<Event>): AsyncGenerator<Event> {
  for await (const event of stream) {
    yield event;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const slotsOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'message' ? [event.slot] : []));

describe('a stream', () => {
  test('begins with where it is, and surfaces what a fork takes back', async () => {
    const deps = fakeApiDeps();
    const server = await serve(deps);
    ends.push(() => server.close());
    const stream = clientAt(portOf(server)).stream(pool, FAST);
    const events = await collect(stream, (event) => {
      if (event.type === 'ready') {
        publish(deps, 5);
        publish(deps, 5, true);
      }
      return event.type === 'undo';
    });
    const [ready, message, undo] = events;
    expect(ready).toMatchObject({ type: 'ready', id: 'pool', isResumed: false });
    expect(message).toMatchObject({ type: 'message', slot: 5, data: { pair_address: POOL } });
    expect(undo).toEqual({ ...message, type: 'undo', seq: 1_002 });
  });

  test('loses nothing and doubles nothing while the service is killed 50 times', async () => {
    const deps = fakeApiDeps();
    let server = await serve(deps);
    ends.push(() => server.close());
    const port = portOf(server);
    const kills = 50;
    const perRound = 20;
    const total = (kills + 1) * perRound;
    let slot = 0;
    let losses = 0;
    let onReady: () => void = () => undefined;
    const becomeReady = () =>
      new Promise<void>((resolve) => {
        onReady = resolve;
      });
    const started = becomeReady();
    const stream = clientAt(port).stream(pool, { ...FAST, onDisconnect: () => losses++ });
    const reading = collect(stream, (event) => {
      if (event.type === 'ready') onReady();
      return event.type === 'message' && event.slot === total;
    });
    /** As when a process is killed: sockets end without a goodbye. Every fifth time it starts anew. */
    const kill = async (round: number) => {
      for (const socket of socketsOf(server)) socket.destroy();
      if (round % 5 > 0) return;
      await server.close();
      publish(deps, ++slot);
      server = await serve(deps, port);
    };
    await started;
    for (let round = 0; round <= kills; round++) {
      const killedAt = round * perRound + (round % perRound) + 1;
      let resumed: Promise<void> | null = null;
      while (slot < (round + 1) * perRound) {
        publish(deps, ++slot);
        if (round === kills || slot !== killedAt) continue;
        // Some messages precede the kill, some follow while nobody listens, some after the return.
        resumed = becomeReady();
        await kill(round);
      }
      await resumed;
    }
    const events = await reading;
    expect(slotsOf(events)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'gap')).toEqual([]);
    expect(losses).toBeGreaterThanOrEqual(kills);
  });

  test('says what is lost with the memory of the service, and continues', async () => {
    let deps = fakeApiDeps();
    const first = await serve(deps);
    const port = portOf(first);
    const stream = clientAt(port).stream(pool, FAST);
    let server = first;
    ends.push(() => server.close());
    const events = await collect(stream, (event, count) => {
      if (event.type === 'ready' && count === 1) {
        publish(deps, 1);
        publish(deps, 2);
      }
      if (event.type === 'message' && event.slot === 2) {
        deps = fakeApiDeps();
        void first.close().then(async () => {
          server = await serve(deps, port);
        });
      }
      // The numbers of the new service begin before those that were received.
      if (event.type === 'gap') setTimeout(() => publish(deps, 3), 20);
      return event.type === 'message' && event.slot === 3;
    });
    expect(events.map(({ type }) => type)).toEqual([
      ...['ready', 'message', 'message', 'ready', 'gap', 'message'],
    ]);
    expect(events[3]).toMatchObject({ isResumed: true });
    expect(slotsOf(events)).toEqual([1, 2, 3]);
  });

  test('continues another one after the last event that was handled', async () => {
    const deps = fakeApiDeps();
    const server = await serve(deps);
    ends.push(() => server.close());
    const client = clientAt(portOf(server));
    const first = await collect(client.stream(pool, FAST), (event) => {
      if (event.type === 'ready') for (const slot of [1, 2, 3]) publish(deps, slot);
      return event.type === 'message' && event.slot === 2;
    });
    publish(deps, 4);
    const last = first.at(-1);
    const since = last?.type === 'message' ? last.seq : 0;
    const second = await collect(
      client.stream({ ...pool, since }, FAST),
      (event) => event.type === 'message' && event.slot === 4,
    );
    expect([...slotsOf(first), ...slotsOf(second)]).toEqual([1, 2, 3, 4]);
  });

  test('reads again from the service what waited too long for a slow consumer', async () => {
    const deps = fakeApiDeps();
    const server = await serve(deps);
    ends.push(() => server.close());
    const reasons: string[] = [];
    const settings = {
      ...{ ...FAST, waitingMax: 10 },
      onDisconnect: (reason: string) => reasons.push(reason),
    };
    const stream = clientAt(portOf(server)).stream(pool, settings);
    const events = await collect(slowed(stream), (event) => {
      const isFirst = event.type === 'ready' && !event.isResumed;
      for (let slot = 1; isFirst && slot <= 40; slot++) publish(deps, slot);
      return event.type === 'message' && event.slot === 40;
    });
    expect(slotsOf(events)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'gap')).toEqual([]);
    expect(reasons).toContain('too many messages wait to be read');
  });

  test('notices a connection whose other side is gone, and opens another', async () => {
    const deps = fakeApiDeps();
    const server = await serve(deps);
    ends.push(() => server.close());
    const proxy = new TcpProxy(portOf(server));
    const port = await proxy.listen();
    ends.push(() => proxy.close());
    const reasons: string[] = [];
    const stream = clientAt(port).stream(pool, {
      ...FAST,
      ...{ pingMs: 50, silenceMs: 300 },
      onDisconnect: (reason) => {
        reasons.push(reason);
        proxy.mend();
      },
    });
    const events = await collect(stream, (event) => {
      if (event.type === 'ready' && !event.isResumed) {
        proxy.stall();
        publish(deps, 1);
      }
      return event.type === 'message';
    });
    expect(reasons).toContain('the service is silent');
    expect(slotsOf(events)).toEqual([1]);
  });

  test('ends with the reason of its signal, also while it cannot connect', async () => {
    const server = await serve(fakeApiDeps());
    const port = portOf(server);
    for (const isServed of [true, false]) {
      if (!isServed) await server.close();
      const aborting = new AbortController();
      setTimeout(() => aborting.abort(new RangeError('enough')), 100);
      const stream = clientAt(port).stream(pool, { ...FAST, signal: aborting.signal });
      await expect(collect(stream, () => false)).rejects.toEqual(new RangeError('enough'));
    }
  });

  test('fails with a key that is not valid, and with a subscription that is refused', async () => {
    const server = await serve(fakeApiDeps());
    ends.push(() => server.close());
    const wrong = clientAt(portOf(server), 'tik_wrong').stream(pool, FAST);
    await expect(collect(wrong, () => false)).rejects.toMatchObject({ status: 401 });
    const refused = clientAt(portOf(server)).stream({ topic: 'candles' }, FAST);
    await expect(refused.next()).rejects.toThrow(ApiError);
  });

  test('refuses two subscriptions of one name before it connects', async () => {
    const stream = clientAt(1).stream([pool, pool]);
    await expect(stream.next()).rejects.toThrow(TypeError);
  });
});

describe('a stream of a server that lies', () => {
  const HELLO = '{"op":"hello","seq":1,"limits":{}}';
  const ACK = '{"op":"ack","id":"pool","seq":1,"slot":1}';

  /** A stream of a server that sends these texts. */
  async function streamOf(converse: (socket: ServerSocket) => void) {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    ends.push(() => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    });
    server.on('connection', converse);
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const body = '{"ticket":"t","expires_at":"2025-01-15T14:32:08.000Z"}';
    const client = new MintscopeClient({
      baseUrl: `http://127.0.0.1:${port}`,
      fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    });
    return client.stream(pool, FAST);
  }

  const say = (...texts: readonly string[]) =>
    streamOf((socket) => {
      for (const text of texts) socket.send(text);
    });

  test.each([
    ['<html>'],
    ['[]'],
    ['7'],
    ['null'],
    ['{"op":"ack","id":"other","seq":1}'],
    ['{"op":"ack","id":"pool","seq":"1"}'],
    ['{"op":"gap","id":null,"from_seq":-1,"to_seq":2}'],
    ['{"id":"pool","topic":"pool","seq":1.5,"slot":1,"data":{}}'],
    ['{"id":"pool","topic":"pool","seq":9007199254740993,"slot":1,"data":{}}'],
    ['{"id":"pool","topic":"trades","seq":2,"slot":1,"data":{}}'],
    ['{"id":"pool","topic":"pool","seq":2,"slot":1}'],
    ['{"id":"pool","topic":"pool","seq":2,"slot":1,"data":{},"undo":"yes"}'],
    ['{"id":"__proto__","topic":"pool","seq":2,"slot":1,"data":{}}'],
  ])('fails with the message %s', async (text) => {
    const stream = await say(HELLO, ACK, text);
    await expect(collect(stream, () => false)).rejects.toThrow(BadAnswerError);
  });

  test('fails with bytes in place of text', async () => {
    const stream = await streamOf((socket) => socket.send(Buffer.from(HELLO)));
    await expect(collect(stream, () => false)).rejects.toThrow(BadAnswerError);
  });

  test('drops a message that was sent twice, and what later versions may send', async () => {
    const message = (seq: number) =>
      `{"id":"pool","topic":"pool","seq":${seq},"slot":${seq},"data":{},"more":1}`;
    const stream = await say(
      ...[HELLO, ACK, message(2), message(2), '{"op":"other"}', message(1), message(3)],
    );
    const events = await collect(stream, (event) => event.type === 'message' && event.slot === 3);
    expect(slotsOf(events)).toEqual([2, 3]);
  });
});

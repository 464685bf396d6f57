import { afterEach, describe, expect, test } from 'vitest';
import { EventClient } from '../../tests/support/event-client.ts';
import { POOL, READ_KEY } from '../../tests/support/fake-api-deps.ts';
import { RelayStage } from '../../tests/support/relay-stage.ts';
import { refusalOf, StreamReader } from '../../tests/support/stream-reader.ts';
import {
  nameOf,
  numbersIn,
  POOL_EVENTS,
  parted,
  StreamingReplica,
  seqOf,
  turn,
} from '../../tests/support/streaming-replica.ts';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function replica(): Promise<StreamingReplica> {
  const started = await StreamingReplica.start();
  open.push({ close: () => started.kill() });
  return started;
}

async function twoBehindANode() {
  const replicas = [await replica(), await replica()] as const;
  const stage = await RelayStage.start(replicas.map(({ origin }) => origin));
  open.push(stage);
  return { replicas, stage };
}

async function events(stage: RelayStage, path: string, headers: Record<string, string> = {}) {
  const client = await EventClient.open(stage.url + path, { 'x-api-key': READ_KEY, ...headers });
  open.push(client);
  return client;
}

describe('an event stream whose replica dies', () => {
  test('goes on at another one in the middle of a slot, without a gap and without a double', async () => {
    const { replicas, stage } = await twoBehindANode();
    const stream = await events(stage, POOL_EVENTS);
    await stream.until((text) => text.includes('event: ack'));
    const [current, other] = await parted(replicas);
    current.apply(2, 3);
    current.apply(3, 5, 2);
    await stream.until((text) => numbersIn(text).includes('3.1'));
    other.apply(2, 3);
    other.apply(3, 5);
    await current.kill();
    await stream.until((text) => numbersIn(text).includes('3.4'));
    other.apply(4);
    const text = await stream.until((all) => numbersIn(all).includes('4.0'));
    expect(numbersIn(text)).toEqual([
      ...['2.0', '2.1', '2.2', '3.0', '3.1', '3.2', '3.3', '3.4', '4.0'],
    ]);
    expect(text.match(/event: (ack|gap|error)/g)).toEqual(['event: ack']);
    expect(stage.node.counts.moves).toEqual({ moved: 1, ended: 0 });
  });

  test('is not sent again what the other one applies later', async () => {
    const { replicas, stage } = await twoBehindANode();
    const stream = await events(stage, POOL_EVENTS);
    await stream.until((text) => text.includes('event: ack'));
    const [current, other] = await parted(replicas);
    current.apply(2);
    current.apply(3);
    await stream.until((text) => numbersIn(text).includes('3.0'));
    await current.kill();
    while (other.hub.subscriptions === 0) await turn();
    for (const step of [2, 3, 4]) other.apply(step);
    const text = await stream.until((all) => numbersIn(all).includes('4.0'));
    expect(numbersIn(text)).toEqual(['2.0', '3.0', '4.0']);
    expect(text).not.toContain('event: gap');
  });

  test('reports a gap if the other one has dropped what is missing', async () => {
    const { replicas, stage } = await twoBehindANode();
    const stream = await events(stage, POOL_EVENTS);
    await stream.until((text) => text.includes('event: ack'));
    const [current, other] = await parted(replicas);
    other.hub.take(null);
    await current.kill();
    other.apply(2);
    const text = await stream.until((all) => numbersIn(all).includes('2.0'));
    expect(text).toContain('event: gap');
  });

  test('ends when no replica is left', async () => {
    const only = await replica();
    const stage = await RelayStage.start([only.origin], { node: { reopenMs: 50 } });
    open.push(stage);
    const stream = await events(stage, POOL_EVENTS);
    await stream.until((text) => text.includes('event: ack'));
    await only.kill();
    await stream.until(() => false);
    expect(stream.response.closed).toBe(true);
    expect(stage.node.counts.moves).toEqual({ moved: 0, ended: 1 });
  });

  test('resumes at a node as at a replica', async () => {
    const { replicas, stage } = await twoBehindANode();
    const first = await events(stage, POOL_EVENTS);
    await first.until((text) => text.includes('event: ack'));
    await parted(replicas);
    for (const step of [2, 3, 4]) for (const one of replicas) one.apply(step);
    const headers = { 'last-event-id': String(seqOf(2, 0)) };
    for (let index = 0; index < 2; index++) {
      const again = await events(stage, POOL_EVENTS, headers);
      const text = await again.until((all) => numbersIn(all).includes('4.0'));
      expect(numbersIn(text)).toEqual(['3.0', '4.0']);
    }
  });
});

describe('an event stream that is refused', () => {
  test.each([
    [401, POOL_EVENTS, { 'x-api-key': 'wrong' }],
    [422, '/v1/stream/sse?topic=token', {}],
    [400, POOL_EVENTS, { 'last-event-id': 'x' }],
  ])('with %i is refused as by the replica', async (status, path, headers) => {
    const { stage } = await twoBehindANode();
    const stream = await events(stage, path, headers as Record<string, string>);
    const text = await stream.until(() => false);
    expect([stream.response.statusCode, JSON.parse(text).code]).toEqual([status, status]);
  });
});

const ids = (messages: readonly Readonly<Record<string, unknown>>[]) =>
  messages.map(({ op, id, seq }) =>
    op === undefined ? `${id} ${nameOf(Number(seq))}` : `${op} ${id ?? ''}`.trim(),
  );

describe('a WebSocket whose replica dies', () => {
  const wsOf = (stage: RelayStage, path = '/v1/stream') =>
    StreamReader.open(stage.url.replace('http', 'ws') + path, READ_KEY);

  test('keeps its subscriptions at another one, without a gap and without a double', async () => {
    const { replicas, stage } = await twoBehindANode();
    const reader = await wsOf(stage);
    const send = (operation: object) => reader.socket.send(JSON.stringify(operation));
    send({ op: 'subscribe', id: 'a', topic: 'pool', params: { pair_address: POOL } });
    send({ op: 'subscribe', id: 7, topic: 'pool' });
    send({ op: 'subscribe', id: 'bad', topic: 'nothing' });
    send({ op: 'subscribe', id: 'gone', topic: 'pool' });
    send({ op: 'unsubscribe', id: 'gone' });
    await reader.until(5);
    const [current, other] = await parted(replicas);
    current.apply(2, 3, 2);
    await reader.until(9);
    other.apply(2, 3);
    await current.kill();
    await reader.until(11);
    send({ op: 'ping', id: 'p' });
    await reader.until(12);
    other.apply(3);
    const received = ids(await reader.until(14));
    const of = (id: string) => received.filter((text) => text.startsWith(`${id} `));
    expect(of('a')).toEqual(['a 2.0', 'a 2.1', 'a 2.2', 'a 3.0']);
    expect(of('7')).toEqual(['7 2.0', '7 2.1', '7 2.2', '7 3.0']);
    const answers = received.filter((text) => !/^[a7] /.test(text));
    expect(answers).toEqual(['hello', 'error bad', 'ack gone', 'ack a', 'ack 7', 'pong p']);
    expect(other.hub.subscriptions).toBe(2);
    await reader.close();
  });

  test('is told to come back when no replica is left', async () => {
    const only = await replica();
    const stage = await RelayStage.start([only.origin], { node: { reopenMs: 50 } });
    open.push(stage);
    const reader = await wsOf(stage);
    await reader.until(1);
    await only.kill();
    expect(await reader.closed).toBe(1012);
  });

  test('is closed by the replica’s own code when that is about the client', async () => {
    const { stage } = await twoBehindANode();
    const reader = await wsOf(stage);
    await reader.until(1);
    for (let index = 0; index < 1_100; index++) reader.socket.send('{"op":"ping"}');
    expect(await reader.closed).toBe(1008);
    expect(stage.node.counts.moves).toEqual({ moved: 0, ended: 0 });
  });

  test('is refused as by the replica', async () => {
    const { replicas, stage } = await twoBehindANode();
    const asked = { 'x-api-key': 'wrong', 'x-request-id': 'same' };
    const through = await refusalOf(`${stage.url.replace('http', 'ws')}/v1/stream`, asked);
    const direct = await refusalOf(`${replicas[0].origin.replace('http', 'ws')}/v1/stream`, asked);
    expect(through).toEqual(direct);
    expect(through.status).toBe(401);
  });

  test('is refused with 503 when no replica answers', async () => {
    const only = await replica();
    const stage = await RelayStage.start([only.origin], { node: { reopenMs: 50 } });
    open.push(stage);
    await only.kill();
    const url = `${stage.url.replace('http', 'ws')}/v1/stream`;
    expect(await refusalOf(url, { 'x-api-key': READ_KEY })).toEqual({
      status: 503,
      body: { code: 503, message: 'No replica answers: try again later.' },
    });
  });
});

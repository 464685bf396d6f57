import { afterEach, describe, expect, test } from 'vitest';
import { EventClient } from '../../tests/support/event-client.ts';
import { POOL, READ_KEY } from '../../tests/support/fake-api-deps.ts';
import { RelayStage } from '../../tests/support/relay-stage.ts';
import { answering, ScriptedReplica } from '../../tests/support/scripted-replica.ts';
import { StreamReader } from '../../tests/support/stream-reader.ts';
import {
  nameOf,
  numbersIn,
  POOL_EVENTS,
  parted,
  StreamingReplica,
  turn,
} from '../../tests/support/streaming-replica.ts';
import { TcpProxy } from '../../tests/support/tcp-proxy.ts';
import { REPLICA_LIMITS, Replica } from './replica.ts';

/** Short, since a test waits for it; an answer on loopback needs less by far. */
const PROBE_MS = 1_000;
/** Longer than any test: what ends earlier was ended by probes. */
const ANSWER_MS = 600_000;

const KEY = { 'x-api-key': READ_KEY };

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Two replicas behind a node, each over a network that can stop passing its answers on. */
async function twoBehindANode() {
  const networks = new Map<StreamingReplica, TcpProxy>();
  const origins: string[] = [];
  const start = async () => {
    const replica = await StreamingReplica.start();
    const network = new TcpProxy(replica.port);
    open.push({ close: () => replica.kill() }, network);
    origins.push(`http://127.0.0.1:${await network.listen()}`);
    networks.set(replica, network);
    return replica;
  };
  const replicas = [await start(), await start()] as const;
  const limits = { probeMs: PROBE_MS, answerMs: ANSWER_MS };
  const stage = await RelayStage.start(origins, { limits, node: { reopenMs: ANSWER_MS } });
  open.push(stage);
  /** Returns what probes it. */
  const hang = (replica: StreamingReplica) => {
    networks.get(replica)?.stall();
    return stage.replicas.all[replicas.indexOf(replica)] as Replica;
  };
  return { replicas, stage, hang };
}

describe('a stream whose replica hangs', () => {
  test('of events goes on at another one, without a gap and without a double', async () => {
    const { replicas, stage, hang } = await twoBehindANode();
    const stream = await EventClient.open(stage.url + POOL_EVENTS, KEY);
    open.push(stream);
    await stream.until((text) => text.includes('event: ack'));
    const [current, other] = await parted(replicas);
    current.apply(2, 3);
    current.apply(3, 5, 2);
    await stream.until((text) => numbersIn(text).includes('3.1'));
    const hanging = hang(current);
    // Nobody hears of it.
    current.apply(4);
    for (const [step, items] of [
      [2, 3],
      [3, 5],
      [4, 1],
    ] as const) {
      other.apply(step, items);
    }
    await hanging.probe();
    expect(other.hub.subscriptions).toBe(0);
    await hanging.probe();
    const text = await stream.until((all) => numbersIn(all).includes('4.0'));
    expect(numbersIn(text)).toEqual([
      ...['2.0', '2.1', '2.2', '3.0', '3.1', '3.2', '3.3', '3.4', '4.0'],
    ]);
    expect(text.match(/event: (ack|gap|error)/g)).toEqual(['event: ack']);
    expect(stage.node.counts.moves).toEqual({ moved: 1, ended: 0 });
  });

  test('of a WebSocket goes on at another one, with what the client asked for meanwhile', async () => {
    const { replicas, stage, hang } = await twoBehindANode();
    const reader = await StreamReader.open(
      `${stage.url.replace('http', 'ws')}/v1/stream`,
      READ_KEY,
    );
    open.push(reader);
    const send = (operation: object) => reader.socket.send(JSON.stringify(operation));
    send({ op: 'subscribe', id: 'a', topic: 'pool', params: { pair_address: POOL } });
    await reader.until(2);
    const [current, other] = await parted(replicas);
    current.apply(2, 3, 2);
    await reader.until(4);
    const hanging = hang(current);
    current.apply(3);
    other.apply(2, 3);
    other.apply(3);
    send({ op: 'ping', id: 'p' });
    await hanging.probe();
    expect(other.hub.subscriptions).toBe(0);
    await hanging.probe();
    const received = (await reader.until(7)).map(({ op, id, seq }) =>
      op === undefined ? `${id} ${nameOf(Number(seq))}` : `${op} ${id ?? ''}`.trim(),
    );
    expect(received.filter((text) => text.startsWith('a '))).toEqual([
      ...['a 2.0', 'a 2.1', 'a 2.2', 'a 3.0'],
    ]);
    expect(received.filter((text) => !text.startsWith('a '))).toEqual(['hello', 'ack a', 'pong p']);
    expect(stage.node.counts.moves).toEqual({ moved: 1, ended: 0 });
  });

  test.each(['events', 'WebSocket'])(
    'is opened at another one if it hangs before it answers (%s)',
    async (kind) => {
      const { replicas, stage, hang } = await twoBehindANode();
      // Replicas that are equally busy take turns, beginning after the first.
      const hanging = hang(replicas[1]);
      const opening =
        kind === 'events'
          ? EventClient.open(stage.url + POOL_EVENTS, KEY)
          : StreamReader.open(`${stage.url.replace('http', 'ws')}/v1/stream`, READ_KEY);
      while (hanging.sent === 0) await turn();
      await hanging.probe();
      await hanging.probe();
      open.push(await opening);
      expect(stage.replicas.all.map(({ sent }) => sent)).toEqual([1, 1]);
    },
  );
});

describe('what is open at a replica', () => {
  async function scripted() {
    const answers = await new ScriptedReplica(answering('it')).start();
    const replica = new Replica(answers.origin, { ...REPLICA_LIMITS, probeMs: PROBE_MS });
    open.push({ close: () => answers.kill() }, replica);
    let ended = 0;
    const forget = replica.endWhenSilent(() => {
      ended++;
    });
    return { answers, replica, forget, ended: () => ended };
  }

  test('is not ended by one silent probe between others', async () => {
    const { answers, replica, ended } = await scripted();
    for (let round = 0; round < 3; round++) {
      answers.ready = { status: 503, slot: null };
      expect((await replica.probe()).state).toBe('silent');
      answers.ready = { status: 200, slot: 100 };
      expect((await replica.probe()).state).toBe('ready');
    }
    expect(ended()).toBe(0);
  });

  test('is not ended because requests fail', async () => {
    const { answers, replica, ended } = await scripted();
    replica.failed('one was lost');
    replica.failed('another was lost');
    answers.ready = { status: 503, slot: null };
    await replica.probe();
    expect(ended()).toBe(0);
  });

  test('is ended when most other replicas contradict it', async () => {
    const { answers, replica, ended } = await scripted();
    answers.ready = { status: 503, slot: null, message: 'Not ready: source: The state differs.' };
    await replica.probe();
    await replica.probe();
    expect(ended()).toBe(1);
  });

  test('stays while it is only not ready', async () => {
    const { answers, replica, ended } = await scripted();
    answers.ready = { status: 503, slot: 90, message: 'Not ready: source_lag: 99 s.' };
    await replica.probe();
    await replica.probe();
    expect(ended()).toBe(0);
  });

  test('is not ended once it has ended by itself', async () => {
    const { answers, replica, forget, ended } = await scripted();
    forget();
    answers.ready = { status: 503, slot: null };
    await replica.probe();
    await replica.probe();
    expect(ended()).toBe(0);
  });
});

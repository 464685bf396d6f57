import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningCommand } from '../support/command-line.ts';
import { EventClient } from '../support/event-client.ts';
import { HAS_NATS, warnWithoutNats } from '../support/nats.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { CLUSTER_TEST_MS, ClusterProcesses, PATIENCE_MS } from './cluster-processes.ts';
import { pause, STORM_KEY } from './storm-service.ts';

warnWithoutNats();

const HEADERS = { 'x-api-key': STORM_KEY };
const PATHS = ['/v1/coverage', '/v1/tokens', '/v1/pools', '/v1/key'];
const READERS = 4;

interface Seen {
  readonly answers: { readonly status: number; readonly body: string }[];
  /** Slots of the answers of each reader, in order. */
  readonly slots: number[][];
}

/** Asks a node without a pause, until it is told to stop. */
function reading(origin: string) {
  const seen: Seen = { answers: [], slots: [] };
  let isOver = false;
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    const slots: number[] = [];
    seen.slots.push(slots);
    const ask = async (url: string) => {
      const answer = await fetch(url, { headers: HEADERS });
      const body = await answer.text();
      seen.answers.push({ status: answer.status, body: answer.status === 200 ? '' : body });
      const slot = answer.headers.get('x-slot');
      if (slot !== null) slots.push(Number(slot));
    };
    for (let index = reader; !isOver; index++) {
      await ask(origin + PATHS[index % PATHS.length]).catch((error: unknown) => {
        seen.answers.push({ status: 0, body: String(error) });
        isOver = true;
      });
    }
  });
  return {
    seen,
    stop: async () => {
      isOver = true;
      await Promise.all(readers);
      return seen;
    },
  };
}

const answeredIn = ({ answers }: Seen) => answers.filter(({ status }) => status === 200).length;

type Message = Readonly<Record<string, unknown>>;

const TOPICS = ['chain', 'trades', 'pool'];

async function following(origin: string): Promise<StreamReader> {
  const reader = await StreamReader.open(`${origin.replace('http', 'ws')}/v1/stream`, STORM_KEY);
  for (const topic of TOPICS) {
    reader.socket.send(JSON.stringify({ op: 'subscribe', id: topic, topic }));
  }
  await reader.until(1 + TOPICS.length);
  return reader;
}

const messagesOf = ({ messages }: StreamReader, topic: string) =>
  messages.filter((message: Message) => message.op === undefined && message.id === topic);

const seqsOf = (reader: StreamReader, topic: string) =>
  messagesOf(reader, topic).map(({ seq }) => Number(seq));

describe.skipIf(!HAS_NATS)('a node without a state before two replicas', () => {
  let cluster: ClusterProcesses;
  let node: RunningCommand;
  let origin = '';

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({ seed: 'api', natsServers: 1, hasFaults: false });
    const replicas = cluster.folds.map((fold) => fold.origin).join(',');
    node = new RunningCommand(['start', '--role', 'api', '--port', '0', '--replicas', replicas]);
    const [, port] = await node.shows(/"port":(\d+)/);
    origin = `http://127.0.0.1:${port}`;
  }, CLUSTER_TEST_MS);

  afterAll(async () => {
    node.process.kill('SIGKILL');
    await cluster.close();
  });

  /** How many subscriptions each replica has. */
  const subscriptions = () =>
    Promise.all(cluster.folds.map((fold) => figure(fold.origin, 'topic_subscriptions')));

  /** A stream through the node, and the number of the replica that it is open at. */
  async function streaming() {
    const reader = await following(origin);
    let at = -1;
    await cluster.until('one replica has the stream, and the other knows of it', async () => {
      const counts = await subscriptions();
      const subjects = await Promise.all(
        cluster.folds.map((fold) => figure(fold.origin, 'topic_subjects')),
      );
      at = counts.indexOf(TOPICS.length);
      const isElsewhere = counts.some((count, index) => index !== at && count > 0);
      return at >= 0 && !isElsewhere && subjects.every((count) => count === TOPICS.length);
    });
    return { reader, at };
  }

  /** A stream that was moved has what one has that was not, between what both were sent. */
  async function expectSame(reader: StreamReader, direct: StreamReader): Promise<void> {
    const last = Number(messagesOf(reader, 'chain').at(-1)?.seq);
    await cluster.until(
      'the same at the survivor',
      () => Math.max(...seqsOf(direct, 'chain')) >= last,
    );
    expect(reader.messages.filter(({ op }) => op === 'gap' || op === 'error')).toEqual([]);
    for (const topic of TOPICS) {
      // From the first slot that both were sent as a whole.
      const first = Math.max(seqsOf(reader, topic)[0] ?? 0, seqsOf(direct, topic)[0] ?? 0);
      const between = (one: StreamReader) =>
        messagesOf(one, topic).filter(({ seq }) => Number(seq) > first && Number(seq) <= last);
      expect(between(reader)).toEqual(between(direct));
      expect(between(reader).length).toBeGreaterThan(10);
    }
  }

  /**
   * No answer is older than what a client has seen, and a replica waits three seconds at most until
   * it is as far: the survivor of a starved machine must have caught up when the other one leaves.
   */
  async function caughtUp({ seen }: ReturnType<typeof reading>, survivor: string): Promise<void> {
    await cluster.until('the survivor has what clients have seen', async () => {
      const shown = Math.max(...seen.slots.flatMap((slots) => slots.at(-1) ?? []));
      const answer = await fetch(`${survivor}/v1/coverage`, { headers: HEADERS });
      await answer.arrayBuffer();
      return Number(answer.headers.get('x-slot')) >= shown;
    });
  }

  const moves = () => figure(origin, 'relay_stream_moves_total{result="moved"}');

  it(
    'answers reads and streams while the replica that has the streams hangs',
    async () => {
      const { reader, at } = await streaming();
      const hanging = cluster.fold(at);
      const events: EventClient[] = [];
      // Streams take turns, so that the first or the second is at that replica.
      await cluster.until('an event stream at it', async () => {
        const client = await EventClient.open(`${origin}/v1/stream/sse?topic=chain`, HEADERS);
        events.push(client);
        await client.until((text) => text.includes('event: ack'));
        return ((await subscriptions())[at] ?? 0) > TOPICS.length;
      });
      const direct = await following(cluster.fold(1 - at).origin);
      const load = reading(origin);
      const before = seqsOf(reader, 'chain').length;
      await cluster.until('messages', () => seqsOf(reader, 'chain').length > before + 10);
      const eventsAtIt = ((await subscriptions())[at] ?? 0) - TOPICS.length;
      await caughtUp(load, cluster.fold(1 - at).origin);
      await hanging.freeze();
      const whenFrozen = seqsOf(reader, 'chain').length;
      await cluster.until('more messages', () => seqsOf(reader, 'chain').length > whenFrozen + 20);
      // Of a starved machine the other replica may seem silent for a while as well.
      await cluster.until('its streams were moved', async () => (await moves()) > eventsAtIt);
      const last = seqsOf(reader, 'chain').at(-1) ?? Number.NaN;
      for (const client of events) await client.until((text) => text.includes(`"seq":${last},`));
      await cluster.until('a hundred reads', () => answeredIn(load.seen) > 100);
      const seen = await load.stop();

      expect(seen.answers.filter(({ status }) => status !== 200)).toEqual([]);
      await expectSame(reader, direct);
      for (const { received } of events) {
        const sent = [...received.matchAll(/"topic":"chain","seq":(\d+)/g)]
          .map(([, seq]) => Number(seq))
          .filter((seq) => seq <= last);
        const first = Math.max(sent[0] ?? 0, seqsOf(direct, 'chain')[0] ?? 0);
        const expected = seqsOf(direct, 'chain').filter((seq) => seq >= first && seq <= last);
        expect(sent.filter((seq) => seq >= first)).toEqual(expected);
        expect(received).not.toContain('event: gap');
      }
      hanging.thaw();
      await cluster.until('it is rid of them', async () => (await subscriptions())[at] === 0);
      for (const client of events) client.close();
      await reader.close();
      await direct.close();
      await cluster.until('nobody listens', async () =>
        (await subscriptions()).every((count) => count === 0),
      );
      await cluster.until('both may be asked again', async () => {
        const text = await textOf(`${origin}/metrics`);
        return text.match(/relay_replica_state\{.*state="silent"\} 0$/gm)?.length === 2;
      });
    },
    CLUSTER_TEST_MS,
  );

  it(
    'answers reads and streams while the replica that has the stream is killed',
    async () => {
      const movesBefore = await moves();
      const { reader, at } = await streaming();
      const load = reading(origin);
      const direct = await following(cluster.fold(1 - at).origin);
      const before = seqsOf(reader, 'chain').length;
      await cluster.until('messages', () => seqsOf(reader, 'chain').length > before + 10);
      await caughtUp(load, cluster.fold(1 - at).origin);
      cluster.fold(at).process.process.kill('SIGKILL');
      const atKill = seqsOf(reader, 'chain').length;
      await cluster.until('more messages', () => seqsOf(reader, 'chain').length > atKill + 20);
      await cluster.until('the stream was moved', async () => (await moves()) > movesBefore);
      await cluster.until('a hundred reads', () => answeredIn(load.seen) > 100);
      const seen = await load.stop();

      expect(seen.answers.filter(({ status }) => status !== 200)).toEqual([]);
      await expectSame(reader, direct);
      await reader.close();
      await direct.close();
    },
    CLUSTER_TEST_MS,
  );

  it(
    'answers 503 when no replica is left',
    async () => {
      for (const { process } of cluster.folds) process.process.kill('SIGKILL');
      await cluster.until('503', async () => (await statusOf(`${origin}/v1/tokens`)) === 503);
      expect(await statusOf(`${origin}/livez`)).toBe(200);
      expect(await statusOf(`${origin}/readyz`)).toBe(503);
    },
    PATIENCE_MS,
  );
});

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: HEADERS });
  await answer.arrayBuffer();
  await pause(20);
  return answer.status;
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** A metric of a process. */
async function figure(origin: string, name: string): Promise<number> {
  const line = (await textOf(`${origin}/metrics`))
    .split('\n')
    .find((one) => one.startsWith(`mintscope_${name} `));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

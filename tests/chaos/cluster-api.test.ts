import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningCommand } from '../support/command-line.ts';
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

  it(
    'answers reads and streams while the replica that has the stream is killed',
    async () => {
      const reader = await following(origin);
      const load = reading(origin);
      await cluster.until('both replicas know what is wanted', async () => {
        const subjects = await Promise.all(
          cluster.folds.map(({ origin: one }) => figure(one, 'topic_subjects')),
        );
        return subjects.every((count) => count === TOPICS.length);
      });
      const subscriptions = await Promise.all(
        cluster.folds.map(({ origin: one }) => figure(one, 'topic_subscriptions')),
      );
      const at = subscriptions.findIndex((count) => count > 0);
      const survivor = cluster.fold(1 - at);
      const direct = await following(survivor.origin);
      const before = seqsOf(reader, 'chain').length;
      await cluster.until('messages', () => seqsOf(reader, 'chain').length > before + 10);
      cluster.fold(at).process.process.kill('SIGKILL');
      const atKill = seqsOf(reader, 'chain').length;
      await cluster.until('more messages', () => seqsOf(reader, 'chain').length > atKill + 20);
      const seen = await load.stop();
      const last = Number(messagesOf(reader, 'chain').at(-1)?.seq);
      await cluster.until(
        'the same at the survivor',
        () => Math.max(...seqsOf(direct, 'chain')) >= last,
      );

      expect(seen.answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(seen.answers.length).toBeGreaterThan(100);
      expect(reader.messages.filter(({ op }) => op === 'gap' || op === 'error')).toEqual([]);
      for (const topic of TOPICS) {
        // From the first slot that both were sent as a whole.
        const first = Math.max(seqsOf(reader, topic)[0] ?? 0, seqsOf(direct, topic)[0] ?? 0);
        const between = (one: StreamReader) =>
          messagesOf(one, topic).filter(({ seq }) => Number(seq) > first && Number(seq) <= last);
        expect(between(reader)).toEqual(between(direct));
        expect(between(reader).length).toBeGreaterThan(10);
      }
      expect(await figure(origin, 'relay_stream_moves_total{result="moved"}')).toBe(1);
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

/** A metric of a process. */
async function figure(origin: string, name: string): Promise<number> {
  const answer = await fetch(`${origin}/metrics`);
  const line = (await answer.text())
    .split('\n')
    .find((one) => one.startsWith(`mintscope_${name} `));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { Swap } from '../../src/model/swap.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { followedBlocks, forkingMarket } from '../support/forking-market.ts';
import { itemSource } from '../support/item-source.ts';
import { openMarketService } from '../support/market-ingestion.ts';
import { StreamReader } from '../support/stream-reader.ts';
import {
  candlesTwin,
  type Data,
  expectTwin,
  findingsTwin,
  newTokensTwin,
  poolTwin,
  type Twin,
  type TwinState,
  tokenTwin,
  tradesTwin,
  walletTwin,
} from '../support/stream-twins.ts';

const KEY = 'stream-twins-test-secret';
const SLOTS = 160;
const CLIENTS = 12;
const RUNS = 3;

/** When a client subscribes and is cut off, and for how long, in items of the chain. */
const plan = fc.record({
  joins: fc.nat(SLOTS),
  cuts: fc.array(fc.record({ after: fc.integer({ min: 1, max: 40 }), lasts: fc.nat(30) }), {
    minLength: 1,
    maxLength: 4,
  }),
});

type Plan = typeof plan extends fc.Arbitrary<infer One> ? One : never;

interface Api {
  readonly url: string;
  get(url: string): Promise<Data | null>;
}

interface Subscribed {
  readonly twin: Twin;
  state: TwinState;
  /** The last message that was received, or the position of the ack. */
  seq: number;
  undone: number;
}

/** A client that reads each subject once after its ack, and follows its messages from then on. */
class TwinClient {
  readonly subscribed: Subscribed[];
  resumed = 0;
  private readonly api: Api;
  private stream: StreamReader | null = null;
  private taken = 0;

  constructor(api: Api, twins: readonly Twin[]) {
    this.api = api;
    this.subscribed = twins.map((twin) => ({ twin, state: new Map(), seq: -1, undone: 0 }));
  }

  get isConnected(): boolean {
    return this.stream !== null;
  }

  async connect(): Promise<void> {
    const stream = await StreamReader.open(`${this.api.url}/v1/stream`, KEY);
    this.stream = stream;
    this.taken = 0;
    const isFirst = this.subscribed.some(({ seq }) => seq < 0);
    if (!isFirst) this.resumed++;
    for (const [id, { twin, seq }] of this.subscribed.entries()) {
      const since = isFirst ? {} : { since: seq };
      const { topic, params } = twin;
      stream.socket.send(JSON.stringify({ op: 'subscribe', id, topic, params, ...since }));
    }
    await this.flush();
    for (const subscribed of this.subscribed) {
      // Read after the ack: a row that a message changed meanwhile has the newer state of the read.
      if (isFirst) subscribed.state = await subscribed.twin.read((url) => this.api.get(url));
    }
    this.take();
  }

  async cut(): Promise<void> {
    this.take();
    const { stream } = this;
    this.stream = null;
    stream?.socket.terminate();
    await stream?.closed;
  }

  /** Resolves when all messages so far have arrived. */
  async flush(): Promise<void> {
    const { stream } = this;
    if (stream === null) return;
    const isPong = ({ op }: Data) => op === 'pong';
    const pongs = stream.messages.filter(isPong).length;
    stream.socket.send('{"op":"ping"}');
    while (stream.messages.filter(isPong).length === pongs) {
      await stream.until(stream.messages.length + 1);
    }
  }

  /** Applies the messages that have arrived. */
  take(): void {
    const messages = this.stream?.messages.slice(this.taken) ?? [];
    this.taken += messages.length;
    for (const message of messages) {
      const { op, id, seq } = message;
      if (op === 'hello' || op === 'pong') continue;
      expect(op === undefined || op === 'ack', JSON.stringify(message)).toBe(true);
      const subscribed = this.subscribed[Number(id)];
      if (subscribed === undefined) throw new Error(`no subscription has the id ${id}`);
      if (op === 'ack') subscribed.seq = Math.max(subscribed.seq, Number(seq));
      else this.apply(subscribed, message);
    }
  }

  private apply(subscribed: Subscribed, { seq, data, undo, topic }: Data): void {
    const { twin, state } = subscribed;
    expect(topic).toBe(twin.topic);
    // Each message once, in order.
    expect(Number(seq)).toBeGreaterThan(subscribed.seq);
    subscribed.seq = Number(seq);
    if (undo === true) subscribed.undone++;
    if (data === null) {
      state.clear();
      return;
    }
    const [key, row] = twin.rowOf(data as Data);
    if (undo === true || row === null) state.delete(key);
    else state.set(key, row);
  }
}

/** The most traded values of a property, first to last. */
function mostTraded<Value extends string>(
  swaps: readonly Swap[],
  of: (swap: Swap) => Value | null,
) {
  const counts = Map.groupBy(swaps, of);
  counts.delete(null as unknown as Value);
  return [...counts]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([value]) => value);
}

const { made, stayed } = forkingMarket('twins', SLOTS);
const swaps = made
  .flatMap((block) => decodeBlock(block).transactions)
  .flatMap(({ events }) => events.filter((event) => event.kind === 'swap'));
const startMs = Number(stayed[0]?.blockTimeMs ?? 0);
const iso = (timeMs: number) => new Date(timeMs).toISOString();
/** An hour from the first block. */
const RANGE = `start=${iso(startMs)}&end=${iso(startMs + 3_600_000)}`;

/** Subjects of every topic that has a read, for one client. */
function twinsOf(index: number): readonly Twin[] {
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[index % Math.min(values.length, CLIENTS)];
    if (value === undefined) throw new Error('the market has too little of something');
    return value;
  };
  const pool = pick(mostTraded(swaps, (swap) => swap.pool));
  const mint = swaps.find((swap) => swap.pool === pool)?.baseMint ?? '';
  const wallet = pick(mostTraded(swaps, (swap) => swap.trader)) ?? '';
  return [
    tradesTwin('pair_address', pool ?? ''),
    tradesTwin('token_address', mint),
    tradesTwin('wallet_address', wallet),
    candlesTwin(mint, null, RANGE),
    candlesTwin(mint, pool, RANGE),
    poolTwin(pool ?? ''),
    tokenTwin(mint),
    walletTwin(wallet),
    newTokensTwin(),
    findingsTwin(),
  ];
}

/** Where a client connects and is cut off, by the index of the item before which it happens. */
function momentsOf({ joins, cuts }: Plan): ReadonlyMap<number, 'connect' | 'cut'> {
  const moments = new Map<number, 'connect' | 'cut'>([[joins, 'connect']]);
  let at = joins;
  for (const { after, lasts } of cuts) {
    moments.set(at + after, 'cut');
    at += after + lasts + 1;
    moments.set(at, 'connect');
  }
  return moments;
}

async function openApi() {
  const service = await openMarketService(temporaryFolder());
  service.store.keys.installBootstrap(KEY);
  const app: FastifyInstance = await apiInThread(service);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const get = async (url: string) => {
    const answer = await app.inject({ url, headers: { 'x-api-key': KEY } });
    if (answer.statusCode === 404) return null;
    expect([answer.statusCode, answer.body.slice(0, 300)], url).toEqual([200, expect.anything()]);
    return answer.json() as Data;
  };
  // Lists are marked incomplete while the market is read from the store.
  const pools = () => app.inject({ url: '/v1/pools', headers: { 'x-api-key': KEY } });
  while ((await pools()).statusCode === 503) await delay(5);
  return { service, app, api: { url: `ws://127.0.0.1:${port}`, get } };
}

interface Planned {
  readonly client: TwinClient;
  readonly moments: ReadonlyMap<number, 'connect' | 'cut'>;
}

/** The items of the chain, with what the clients do between them. */
async function* chainOf(clients: readonly Planned[]): AsyncGenerator<SourceItem> {
  for (const [index, item] of followedBlocks(made).entries()) {
    for (const { client, moments } of clients) {
      const moment = moments.get(index);
      if (moment === 'connect') await client.connect();
      if (moment === 'cut') await client.cut();
    }
    yield item;
  }
  for (const { client } of clients) {
    if (!client.isConnected) await client.connect();
    await client.flush();
  }
}

async function follow(plans: readonly Plan[]) {
  const { service, app, api } = await openApi();
  const clients = plans.map((one, index) => ({
    client: new TwinClient(api, twinsOf(index)),
    moments: momentsOf(one),
  }));
  await service.ingestion.ingest(itemSource(chainOf(clients), false));
  const counts = { rows: 0, undone: 0, resumed: 0 };
  for (const { client } of clients) {
    client.take();
    counts.resumed += client.resumed;
    for (const { twin, state, undone } of client.subscribed) {
      expectTwin(twin, state, await twin.read((url) => api.get(url)));
      counts.rows += state.size;
      counts.undone += undone;
    }
    await client.cut();
  }
  await app.close();
  await service.close();
  return counts;
}

test('what a client reads after its ack, and follows over cuts and forks, is a read at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: CLIENTS, maxLength: CLIENTS }), async (plans) => {
      const counts = await follow(plans);
      expect(counts.rows).toBeGreaterThan(100);
      expect(counts.undone).toBeGreaterThan(10);
      expect(counts.resumed).toBeGreaterThan(CLIENTS / 2);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

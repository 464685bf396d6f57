import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { StreamReader } from '../support/stream-reader.ts';

const KEY = 'filtered-stream-test-secret';
const CAT_SOL = address('cat-sol');
const FIRST_SLOT = 1_000;
const SLOTS = 60;
/** Slot up to which the chain is followed before clients subscribe. */
const SUBSCRIBED = 30;
/** Slots that a fork takes back, among them slots from before the subscription. */
const TAKEN_BACK = 6;

const dataDir = temporaryFolder();
const blocks = marketBlocks(SLOTS, FIRST_SLOT).map((value) => {
  const reading = readBlock(value);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return reading.value;
});
let service: Service;
let api: ApiThread;

beforeAll(async () => {
  const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
  service = await openService(config);
  service.store.keys.installBootstrap(KEY);
  const limits = { rateLimitPerMinute: 10_000, rateLimitBurst: 1_000 };
  const bind = { dataDir, host: '127.0.0.1', port: 0, openOps: false, simulation: null };
  api = await ApiThread.start(service, {
    settings: { ...limits, ...bind, logLevel: 'silent' },
    lagMaxMs: 60_000,
  });
});

afterAll(async () => {
  await api.close(1_000);
  await service.close();
});

interface Trade {
  readonly trade_id: string;
}

/** All trades of the pool, newest first, and the slot that they are as of. */
async function readTrades() {
  const url = `http://127.0.0.1:${api.port}/v1/trades?pair_address=${CAT_SOL}&limit=500`;
  const answer = await fetch(url, { headers: { 'x-api-key': KEY } });
  const body = await answer.text();
  expect([answer.status, body]).toEqual([200, expect.any(String)]);
  const { trades, next_cursor } = JSON.parse(body) as {
    readonly trades: readonly Trade[];
    readonly next_cursor: string | null;
  };
  expect(next_cursor).toBeNull();
  return { trades, slot: Number(answer.headers.get('x-slot')) };
}

const blocksOf = (from: number, to: number): SourceItem[] =>
  blocks.slice(from, to).map((block) => ({ kind: 'block', block }));

test('trades of a read and of the stream after it are those of a read at the end', async () => {
  const stream = await StreamReader.open(`ws://127.0.0.1:${api.port}/v1/stream`, KEY);
  const reads: Awaited<ReturnType<typeof readTrades>>[] = [];
  async function* chain(): AsyncGenerator<SourceItem> {
    yield* blocksOf(0, SUBSCRIBED);
    await subscribe(stream);
    reads.push(await readTrades());
    const base = blocks[SUBSCRIBED - TAKEN_BACK - 1];
    const next = blocks[SUBSCRIBED];
    if (base === undefined || next === undefined) throw new Error('the market is too short');
    yield { kind: 'undo', toSlot: base.slot, toBlockhash: base.blockhash ?? '' };
    // The canonical branch goes on without the slots that are taken back.
    const joined = { ...next, parentSlot: base.slot, previousBlockhash: base.blockhash };
    yield { kind: 'block', block: joined };
    yield* blocksOf(SUBSCRIBED + 1, SLOTS);
    reads.push(await readTrades());
    await answered(stream);
  }
  await service.ingestion.ingest(itemSource(chain(), false));
  const [before, after] = reads;
  expect(stream.messages[1]).toMatchObject({ op: 'ack', slot: before?.slot });
  expect(before?.trades.length).toBeGreaterThan(0);
  const state = new Map(before?.trades.map((trade) => [trade.trade_id, trade]));
  const messages = stream.messages.filter(({ topic }) => topic === 'trades');
  for (const { data, undo } of messages) {
    const trade = data as Trade;
    if (undo === true) {
      // What is taken back is what a read has returned.
      expect(trade).toEqual(state.get(trade.trade_id));
      state.delete(trade.trade_id);
    } else state.set(trade.trade_id, trade);
  }
  expect(messages.some(({ undo }) => undo === true)).toBe(true);
  expect([...state.values()].sort(byId)).toEqual([...(after?.trades ?? [])].sort(byId));
  await stream.close();
});

async function subscribe(stream: StreamReader): Promise<void> {
  const params = { pair_address: CAT_SOL };
  stream.socket.send(JSON.stringify({ op: 'subscribe', id: 1, topic: 'trades', params }));
  await stream.until(2);
}

/** Resolves when all messages so far have arrived. */
async function answered(stream: StreamReader): Promise<void> {
  stream.socket.send('{"op":"ping"}');
  while (stream.messages.at(-1)?.op !== 'pong') await stream.until(stream.messages.length + 1);
}

function byId(one: Trade, other: Trade): number {
  return one.trade_id < other.trade_id ? -1 : 1;
}

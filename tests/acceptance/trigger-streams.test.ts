import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { GrpcReader, grpcClient } from '../support/grpc-client.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { StreamReader } from '../support/stream-reader.ts';

const KEY = 'trigger-streams-test-secret';
const CAT_SOL = address('cat-sol');
const FIRST_SLOT = 1_000;
const SLOTS = 40;
const BUYS = 5;

function marketItems(): Extract<SourceItem, { kind: 'block' }>[] {
  return marketBlocks(SLOTS, FIRST_SLOT).map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    return { kind: 'block', block: reading.value };
  });
}

/** A service on one thread, its API on another, and clients of all kinds. */
describe('a trigger on a chain that is followed', () => {
  const dataDir = temporaryFolder();
  const items = marketItems();
  /** Number of purchases of the pool after each slot, by the engine. */
  const buysAt = new Map<number, number>();
  let service: Service;
  let api: ApiThread;

  async function start(): Promise<void> {
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    const limits = { rateLimitPerMinute: 10_000, rateLimitBurst: 1_000 };
    const place = { dataDir, host: '127.0.0.1', port: 0, openOps: false, simulation: null };
    const grpc = { port: 0, tlsCertFile: null, tlsKeyFile: null };
    api = await ApiThread.start(service, {
      settings: { ...limits, ...place, logLevel: 'silent', grpc },
      lagMaxMs: 60_000,
    });
  }

  async function stop(): Promise<void> {
    await api.close(1_000);
    await service.close();
  }

  beforeAll(start);
  afterAll(stop);

  async function* deliver(from: number, to: number): AsyncGenerator<SourceItem> {
    for (const item of items.slice(from, to)) {
      yield item;
      buysAt.set(item.block.slot, service.ingestion.engine.pool(CAT_SOL)?.buyCount ?? 0);
    }
  }

  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  const trigger = {
    trigger_id: 'bought often',
    pair_address: CAT_SOL,
    conditions: [{ field: 'number_of_buys', operator: 'gt', value: String(BUYS) }],
  };

  test('is one trigger, even when many clients add it at once', async () => {
    const adds = await Promise.all(
      Array.from({ length: 100 }, () => ask('POST', '/v1/triggers/add', trigger)),
    );
    expect(new Set(adds.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(adds.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { body } = await ask('GET', '/v1/triggers');
    expect(body).toMatchObject({ total: 1, triggers: [trigger] });
  });

  test('fires in its slot on every stream, and is retracted when a fork reverts the slot', async () => {
    const url = `ws://127.0.0.1:${api.port}`;
    const triggers = await StreamReader.open(`${url}/v1/triggers/ws`, KEY);
    const market = await StreamReader.open(`${url}/v1/market-data/ws`, KEY);
    const grpc = new GrpcReader(
      grpcClient(
        api.grpcPort ?? 0,
        'guardis/triggers/v1/triggers.proto',
        'guardis.triggers.v1.TriggersService',
      ),
      'StreamTriggers',
      { key: KEY },
    );
    await grpc.admitted;
    await triggers.until(1);
    // The first slot that makes it true is known when the chain has been applied that far.
    async function* chain(): AsyncGenerator<SourceItem> {
      let index = 0;
      while (service.ingestion.engine.lastSlot === null || !isTrue()) {
        yield* deliver(index, index + 1);
        index++;
      }
      const base = items[index - 2]?.block;
      if (base === undefined) throw new Error('the pool is bought from too early');
      yield { kind: 'undo', toSlot: base.slot, toBlockhash: base.blockhash ?? '' };
      // The canonical branch has no block at that slot.
      const lost = items[index - 1]?.block;
      const next = items[index]?.block;
      if (lost === undefined || next === undefined) throw new Error('the market is too short');
      const block = {
        ...next,
        transactions: lost.transactions,
        parentSlot: base.slot,
        previousBlockhash: base.blockhash,
      };
      yield { kind: 'block', block };
    }
    const isTrue = () => (service.ingestion.engine.pool(CAT_SOL)?.buyCount ?? 0) > BUYS;
    await service.ingestion.ingest(itemSource(chain(), false));
    const firedAt = [...buysAt].find(([, buys]) => buys > BUYS)?.[0] as number;
    const messages = await triggers.until(4);
    expect(messages.slice(1)).toMatchObject([
      { type: 'trigger_fired', trigger_id: 'bought often', slot: firedAt, seq: 1 },
      { type: 'trigger_retracted', fired_seq: 1, slot: firedAt, seq: 2 },
      { type: 'trigger_fired', slot: firedAt + 1, seq: 3 },
    ]);
    expect(messages[1]?.pool).toMatchObject({
      pair_address: CAT_SOL,
      token_address: address('cat mint'),
      number_of_buys: BUYS + 1,
    });
    const notified = await grpc.until(3);
    expect(notified.map(({ type }) => type)).toEqual([
      'trigger_fired',
      'trigger_retracted',
      'trigger_fired',
    ]);
    const { body } = await ask('GET', '/v1/triggers/firings');
    const [, , standing] = body.firings as { fired_at: string; pool: object }[];
    expect(JSON.stringify(messages[3])).toBe(JSON.stringify(standing));
    const firedMs = Date.parse(standing?.fired_at ?? '');
    expect(notified[2]).toEqual({
      ...{ type: 'trigger_fired', trigger_id: 'bought often', pool: standing?.pool },
      conditions: [
        {
          ...{ field: 'number_of_buys', operator: 'gt', value: '5', compared: '6' },
          // No rule is named by a condition of a figure.
          ...{ rule_id: '', author: '' },
        },
      ],
      fired_at: {
        seconds: String(Math.floor(firedMs / 1_000)),
        nanos: (firedMs % 1_000) * 1_000_000,
      },
    });
    const blocks = await market.until(firedAt - FIRST_SLOT + 2);
    expect(blocks.map((block) => block.block_number)).toEqual([
      ...Array.from({ length: firedAt - FIRST_SLOT + 1 }, (_, index) => FIRST_SLOT + index),
      firedAt + 1,
    ]);
    grpc.close();
    await triggers.close();
    await market.close();
  });

  test('keeps its firings, also for clients that connect after a restart', async () => {
    const before = await ask('GET', '/v1/triggers/firings?since=1');
    expect(before.body).toMatchObject({
      firings: [{ seq: 2 }, { seq: 3 }],
      gap: null,
      last_seq: 3,
    });
    await stop();
    await start();
    const url = `ws://127.0.0.1:${api.port}/v1/triggers/ws`;
    const reader = await StreamReader.open(`${url}?since=0`, KEY);
    const messages = await reader.until(4);
    expect(messages.slice(1).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    // Final slots fire under the next numbers: the earlier tail was never stored.
    const final = (slot: number): SourceItem => ({ kind: 'final', slot: slot as Slot });
    async function* chain(): AsyncGenerator<SourceItem> {
      yield* deliver(0, SLOTS);
      yield final(FIRST_SLOT + SLOTS - 1);
    }
    await service.ingestion.ingest(itemSource(chain(), false));
    const { body } = await ask('GET', '/v1/triggers/firings?since=0');
    const firings = body.firings as { type: string; seq: number; retracted_at: string | null }[];
    const standing = firings.filter(
      ({ type, retracted_at: at }) => type === 'trigger_fired' && at === null,
    );
    expect(standing).toHaveLength(1);
    expect(firings.map(({ seq }) => seq)).toEqual(firings.map((_, index) => index + 1));
    await reader.close();
  });

  test('does not fire again after a restart, and no longer exists once it is removed', async () => {
    await stop();
    await start();
    const { body } = await ask('GET', '/v1/triggers/firings?since=0');
    const last = body.last_seq;
    const removed = await ask('DELETE', '/v1/triggers/remove', { trigger_id: 'bought often' });
    expect(removed).toMatchObject({ status: 200, body: { status: 'removed' } });
    expect((await ask('GET', '/v1/triggers')).body).toMatchObject({ total: 0 });
    expect((await ask('GET', '/v1/triggers/firings')).body).toMatchObject({ last_seq: last });
  });
});

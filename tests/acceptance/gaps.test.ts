import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const KEY = 'gaps-test-secret';
const CAT = address('cat mint');

/** Time of the market's first block: its 300 blocks, 0.4 s apart, end about now. */
const FIRST_MS = 1_700_000_000_000;
const SHIFT_MS = Math.floor((Date.now() - FIRST_MS - 120_000) / 60_000) * 60_000;
const at = (seconds: number) => new Date(FIRST_MS + SHIFT_MS + seconds * 1_000).toISOString();

function marketItems(): { readonly slot: Slot; readonly item: SourceItem }[] {
  return marketBlocks(300).map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    const blockTimeMs = (reading.value.blockTimeMs ?? 0) + SHIFT_MS;
    const block: ChainBlock = { ...reading.value, blockTimeMs };
    return { slot: block.slot, item: { kind: 'block', block } };
  });
}

/** A chain of slots 1000 to 1299; no node delivers 1200 to 1203 at first. */
describe('slots that no node could deliver', () => {
  const items = marketItems();
  const [from, to] = [1_200 as Slot, 1_203 as Slot];
  const goOn = Promise.withResolvers<void>();
  const isSent = Promise.withResolvers<void>();
  let service: Service;
  let api: FastifyInstance;
  let following: Promise<unknown>;

  async function* follow(): AsyncGenerator<SourceItem> {
    for (const { slot, item } of items) {
      if (slot === from) yield { kind: 'missing', from, to, reason: 'pruned everywhere' };
      if (slot < from || slot > to) yield item;
    }
    isSent.resolve();
    await goOn.promise;
    for (const { slot, item } of items) if (slot >= from && slot <= to) yield item;
    yield { kind: 'final', slot: 1_299 as Slot };
  }

  beforeAll(async () => {
    const config = readConfig({}, { dataDir: temporaryFolder() });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    api = await apiInThread(service);
    const source = { ...itemSource(follow(), false), headSlot: 1_310 as Slot };
    following = service.ingestion.ingest(source);
    await isSent.promise;
  });

  afterAll(async () => {
    goOn.resolve();
    await following;
    await api.close();
    await service.close();
  });

  const get = (url: string) => api.inject({ url, headers: { 'x-api-key': KEY } });
  const ohlc = (fromS: number, toS: number) =>
    get(`/v1/market/ohlc?token_address=${CAT}&interval=5s&start=${at(fromS)}&end=${at(toS)}`);

  test('make exactly the answers incomplete that overlap them', async () => {
    // Block n is 0.4 n seconds after the first, so the missing slots lie between seconds 79 and 81.
    const before = await ohlc(0, 75);
    const around = await ohlc(70, 90);
    const after = await ohlc(90, 115);
    const complete = [before, around, after].map(({ headers }) => headers['x-complete']);
    expect(complete).toEqual(['true', 'false', 'true']);
    expect((await get(`/v1/token/${CAT}`)).headers['x-complete']).toBe('false');
  });

  test('are listed by /readyz, with the distance to the head of the chain', async () => {
    const answer = await readiness();
    expect(answer).toHaveProperty('checks');
    const { checks } = answer;
    expect(checks.gaps).toEqual({ ok: false, detail: '1 open: 1200-1203 (pruned everywhere)' });
    expect(checks.source_lag?.detail).toMatch(/^\d+ ms, 11 slots behind the chain$/);
  });

  test('are listed by /v1/coverage between the stored ranges', async () => {
    expect((await get('/v1/coverage')).json()).toMatchObject({
      first_slot: 1_000,
      last_slot: 1_299,
      final_slot: null,
      missing_slots: 4,
      ranges: [
        { from_slot: 1_204, to_slot: 1_299 },
        { from_slot: 1_000, to_slot: 1_199 },
      ],
      gaps: [{ from_slot: 1_200, to_slot: 1_203, reason: 'pruned everywhere', tries: 1 }],
      gaps_total: 1,
    });
  });

  test('are counted by /metrics, with the tail that contains them', async () => {
    const { body } = await get('/metrics');
    expect(body).toContain('mintscope_open_gaps 1');
    expect(body).toContain('mintscope_missing_slots 4');
    expect(body).toContain('mintscope_tail_slots 296');
    expect(body).toContain('mintscope_source_lag_slots 11');
  });

  test('are closed everywhere when their blocks arrive late, without a new fold', async () => {
    goOn.resolve();
    await following;
    expect(service.ingestion.status).toMatchObject({ lateSlots: 4, refolds: 0 });
    expect((await get(`/v1/token/${CAT}`)).headers['x-complete']).toBe('true');
    expect((await get('/v1/coverage')).json()).toMatchObject({
      final_slot: 1_299,
      missing_slots: 0,
      ranges: [{ from_slot: 1_000, to_slot: 1_299 }],
      gaps: [],
    });
    expect((await get('/metrics')).body).toContain('mintscope_open_gaps 0');
    expect(service.store.gaps.counts).toEqual({ held: 300, skipped: 0, missing: 0 });
  });

  async function readiness() {
    const { body } = await get('/readyz');
    return JSON.parse(body) as { checks: Record<string, { ok: boolean; detail: string }> };
  }
});

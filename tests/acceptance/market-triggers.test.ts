import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const KEY = 'market-triggers-test-secret';
const POOL = address('cat-sol');
const SLOTS_BEFORE = 6;

const items = marketBlocks(30).map((value): SourceItem => {
  const reading = readBlock(value);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return { kind: 'block', block: reading.value };
});

let service: Service;
let api: Awaited<ReturnType<typeof apiInThread>>;

beforeAll(async () => {
  service = await openService(readConfig({}, { dataDir: temporaryFolder(), logLevel: 'silent' }));
  service.store.keys.installBootstrap(KEY);
  await service.ingestion.ingest(itemSource(items.slice(0, SLOTS_BEFORE), true));
  api = await apiInThread(service);
});

afterAll(async () => {
  await api.close();
  await service.close();
});

async function ask(method: 'GET' | 'POST', url: string, payload?: object) {
  const response = await api.inject({
    ...{ method, url, headers: { 'x-api-key': KEY } },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const pool = () => ask('GET', `/v1/pools/${POOL}`);

async function firingSlot() {
  const { body } = await ask('GET', '/v1/triggers/firings');
  return body.firings[0];
}

test('a trigger compares the change of the price with the slot itself, as the pool shows it', async () => {
  await vi.waitFor(async () => expect((await pool()).headers['x-complete']).toBe('true'), 120_000);
  const { trigger_figures: before } = (await pool()).body;
  const always = { field: 'price_change_1h', operator: 'lt', value: '1000000' };
  const nextBuy = { field: 'number_of_buys', operator: 'gt', value: String(before.number_of_buys) };
  const request = { trigger_id: 'next buy', pair_address: POOL, conditions: [nextBuy, always] };
  expect((await ask('POST', '/v1/triggers/add', request)).status).toBe(201);
  let next = SLOTS_BEFORE;
  for (; (await firingSlot()) === undefined; next++) {
    await service.ingestion.ingest(itemSource(items.slice(next, next + 1), true));
  }
  const { trigger_figures: after } = (await pool()).body;
  const [, compared] = (await firingSlot()).conditions;
  // A table that follows after the triggers would have the change of the slot before.
  expect(after.price_change_1h).not.toBe(before.price_change_1h);
  expect(Number(compared.compared)).toBe(Number(after.price_change_1h));
  expect(Number(after.number_of_buys)).toBe(Number(before.number_of_buys) + 1);
});

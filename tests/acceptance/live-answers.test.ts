import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';

const KEY = 'live-answers-test-secret';
const CAT = address('cat mint');
const CAT_SOL = address('cat-sol');
/** After this many blocks the chain reverts some of them and delivers them again. */
const BRANCH_EVERY = 12;
const BRANCH_BLOCKS = 5;
const SLOT_MS = 4;

function marketItems(count: number): Extract<SourceItem, { kind: 'block' }>[] {
  return marketBlocks(count).map((value) => {
    const reading = readBlock(value);
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    return { kind: 'block', block: reading.value };
  });
}

/** A service on one thread, its API on another, and a chain that reverts blocks repeatedly. */
describe('answers while slots are applied and reverted', () => {
  const items = marketItems(240);
  /** The figures of the engine after each slot, the same each time the slot is applied. */
  const expected = new Map<number, string>();
  let service: Service;
  let api: ApiThread;
  let isOver = false;
  let undone = 0;

  async function* chain(): AsyncGenerator<SourceItem> {
    for (const [index, item] of items.entries()) {
      yield* deliver(item);
      const { slot, blockhash } = item.block;
      if (index % BRANCH_EVERY !== BRANCH_EVERY - 1) continue;
      const base = items[index - BRANCH_BLOCKS]?.block;
      if (base === undefined) continue;
      yield { kind: 'undo', toSlot: base.slot, toBlockhash: base.blockhash ?? '' };
      note(base.slot);
      await delay(SLOT_MS);
      undone++;
      for (const again of items.slice(index - BRANCH_BLOCKS + 1, index + 1)) yield* deliver(again);
      expect(service.ingestion.engine.lastBlockhash).toBe(blockhash);
      yield { kind: 'final', slot: (slot - BRANCH_BLOCKS) as Slot };
    }
  }

  async function* deliver(item: (typeof items)[number]): AsyncGenerator<SourceItem> {
    yield item;
    note(item.block.slot);
    await delay(SLOT_MS);
  }

  function note(slot: Slot): void {
    const { engine } = service.ingestion;
    expect(engine.lastSlot).toBe(slot);
    const pool = engine.pool(CAT_SOL);
    const holders = engine.topHolders(CAT, 100).map(({ owner }) => owner);
    const answer = `${pool?.walletCount} ${engine.holderCount(CAT)} ${holders.join()}`;
    // Applying the same block again gives the same state, so a slot has one answer.
    expect(expected.get(slot) ?? answer).toBe(answer);
    expected.set(slot, answer);
  }

  beforeAll(async () => {
    const dataDir = temporaryFolder();
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    const limits = { rateLimitPerMinute: 10_000_000, rateLimitBurst: 1_000_000 };
    const settings = { ...limits, dataDir, host: '127.0.0.1', port: 0, openOps: false };
    api = await ApiThread.start(service, {
      settings: { ...settings, logLevel: 'silent', simulation: null },
      lagMaxMs: 60_000,
    });
  });

  afterAll(async () => {
    await api.close(1_000);
    await service.close();
  });

  async function get(path: string) {
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, {
      headers: { 'x-api-key': KEY },
    });
    const body = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, slot: Number(answer.headers.get('x-slot')), body };
  }

  /** Sends request after request until the chain ends. */
  async function askAlong(path: string, check: (slot: number, body: never) => void) {
    const slots = new Set<number>();
    while (!isOver) {
      const { status, slot, body } = await get(path);
      if (status === 404) continue;
      check(slot, body as never);
      slots.add(slot);
    }
    return slots;
  }

  test('each hold the state after exactly the slot that they name', async () => {
    const answers: { slot: number; part: number; text: string }[] = [];
    const ofPool = askAlong(
      `/v1/indicators/current?pair_address=${CAT_SOL}`,
      (slot, body: { total_wallets: number; raw_holders: number }) =>
        answers.push({ slot, part: 0, text: `${body.total_wallets} ${body.raw_holders}` }),
    );
    const ofToken = askAlong(
      `/v1/token/${CAT}`,
      (slot, { holders }: { holders: { holder_address: string }[] }) =>
        answers.push({
          slot,
          part: 1,
          text: holders.map(({ holder_address: owner }) => owner).join(),
        }),
    );
    const ofHolders = askAlong(
      `/v1/token/${CAT}/holders`,
      (slot, body: { count: number; holders: { holder_address: string }[] }) => {
        const owners = body.holders.map(({ holder_address: owner }) => owner).join();
        answers.push({ slot, part: 2, text: `${body.count} ${owners}` });
      },
    );
    await service.ingestion.ingest(itemSource(chain(), false));
    isOver = true;
    const slots = [...(await ofPool), ...(await ofToken), ...(await ofHolders)];
    const wrong = answers.filter(({ slot, part, text }) => {
      const [wallets, count, holders] = (expected.get(slot) ?? '').split(' ');
      return text !== [`${wallets} ${count}`, holders, `${count} ${holders}`][part];
    });
    expect(wrong).toEqual([]);
    expect(undone).toBe(20);
    expect(new Set(slots).size).toBeGreaterThan(50);
  });

  test('are served from memory: at most one read of the engine per publication', async () => {
    const { body } = await get(`/v1/token/${CAT}`);
    expect(body).toBeDefined();
    const page = await fetch(`http://127.0.0.1:${api.port}/metrics`);
    const text = await page.text();
    const metric = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(text)?.[1]);
    expect(metric('live_reads_total{result="hit"}')).toBeGreaterThan(100);
    const publications = metric('live_publications_total');
    expect(metric('live_reads_total{result="miss"}')).toBeLessThan(publications + 20);
  });
});

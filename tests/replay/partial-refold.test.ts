import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { Engine } from '../../src/engine/engine.ts';
import { Ingestion } from '../../src/ingestion/ingestion.ts';
import type { RestoreAt } from '../../src/ingestion/partial-refold.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asPriceE18, asSlot } from '../../src/model/units.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { arbitrarySlots } from '../support/arbitrary-slots.ts';
import { address } from '../support/build-transaction.ts';
import { scriptOf } from '../support/chain-script.ts';
import { itemSource } from '../support/item-source.ts';
import { START_MS } from '../support/master-fixture.ts';
import { storedRows } from '../support/stored-rows.ts';

const MINTS = ['token-t', 'token-u'].map(address);
const POOLS = ['pool-t', 'pool-u', 'pool-v', 'sol-usd'].map(address);
const END_MS = START_MS + 86_400_000;
const newEngine = () => new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
const item = (facts: SlotFacts): SourceItem => ({ kind: 'facts', facts });
const folders: string[] = [];

/** A busy market of as many blocks, in which every kind of event occurs. */
function market(count: number, seed: number): readonly SlotFacts[] {
  const slots = arbitrarySlots({ minLength: count, maxLength: count });
  const [content = []] = fc.sample(slots, { seed, numRuns: 1 });
  const ops = content.map(() => ({ op: 'block', skipped: 0, lost: 0 }) as const);
  return scriptOf(ops, content).branch;
}

/** What every query returns for every token and pool. */
async function answers(store: Store): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const range = { fromMs: START_MS - 60_000, toMs: END_MS };
  for (const scope of [...MINTS, ...POOLS]) {
    for (const intervalMs of [1_000, 30_000, 60_000, 3_600_000]) {
      for (const view of ['all', 'organic'] as const) {
        const candles = await store.candles.read({ scope, ...range, intervalMs, view });
        found[`candles ${scope} ${intervalMs} ${view}`] = candles;
      }
    }
    for (const beforeMs of [START_MS + 20_000, START_MS + 45_000, END_MS]) {
      found[`candle of ${scope} before ${beforeMs}`] = await store.candles.lastBefore(
        scope,
        beforeMs,
      );
      const swaps = await store.candles.organicSwapsBefore(scope, beforeMs, 3);
      found[`swaps of ${scope} before ${beforeMs}`] = swaps;
    }
    const swaps = await store.candles.swaps(scope, range.fromMs, range.toMs);
    found[`swaps of ${scope}`] = swaps.map((swap) => JSON.stringify(swap, text)).sort();
  }
  for (const pool of POOLS) {
    const { indicators } = store;
    found[`pool ${pool}`] = await store.records.pool(pool);
    found[`minutes ${pool}`] = await indicators.minutes({ pool, ...range });
    found[`minute ${pool}`] = await indicators.lastBefore(pool, END_MS);
    for (const slot of [1_010, 1_020, 1_030, 1_040]) {
      found[`minute ${pool} ${slot}`] = await indicators.atSlot(pool, asSlot(slot));
    }
    const buckets = { pool, fromMs: START_MS, toMs: END_MS, intervalMs: 300_000, untilMs: END_MS };
    found[`buckets ${pool}`] = await indicators.buckets(buckets, null);
  }
  for (const mint of MINTS) {
    const page = { mint, orderBy: 'solana_amount', orderDir: 'desc', offset: 1, limit: 9 } as const;
    found[`token ${mint}`] = await store.records.token(mint);
    found[`bundles ${mint}`] = await store.bundles.page({ ...page, asOfSlot: null });
    const query = { mint, confidenceMin: 0, asOfSlot: null };
    found[`findings ${mint}`] = await store.classifications.ofMint(query);
  }
  for (const orderBy of ['newest', 'volume_24h_usd', 'total_wallets'] as const) {
    const page = { search: null, orderBy, orderDir: 'desc', offset: 0, limit: 10 } as const;
    const { items, total } = await store.tokens.page({ ...page, nowMs: START_MS + 600_000 });
    found[`tokens by ${orderBy}`] = { items, total };
  }
  const signals = { fromMs: 0, toMs: END_MS, model: null, limit: 50, beforeRowId: null };
  found.signals = await store.signals.page(signals);
  const known = { epoch: -1, afterSlot: null, afterRowId: 0 };
  const { signals: figures, outcomes } = await store.signals.figures(known);
  found.figures = [figures, outcomes];
  const { epoch, slot } = store.cursor;
  const changed = { epoch, afterSlot: null, throughSlot: slot ?? asSlot(0) };
  found.tokens = await store.changed.tokens({ ...changed, afterAddress: '', limit: 99 });
  found.pools = await store.changed.pools({ ...changed, afterAddress: '', limit: 99 });
  return found;
}

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'partial-'));
  folders.push(folder);
  return folder;
}

/** Ingests everything into a new folder; returns its answers on the way and its rows at the end. */
async function ingested(items: readonly SourceItem[], isLate: boolean) {
  const dataDir = newFolder();
  const store = await openStore({ dataDir });
  const onTheWay: Record<string, unknown>[] = [];
  const restoreAt: RestoreAt = async (slot) => {
    const engine = newEngine();
    for await (const facts of store.log.read()) {
      if (facts.slot > slot) break;
      engine.apply(facts);
    }
    return { engine, olderSlots: 0 };
  };
  const merge = store.layers.merge.bind(store.layers);
  store.layers.merge = async (pair) => {
    onTheWay.push(await answers(store));
    await merge(pair);
    onTheWay.push(await answers(store));
    // Repeated after a kill.
    await merge(pair);
    onTheWay.push(await answers(store));
  };
  const parts = { createEngine: newEngine, rules: 'rules', nowMs: () => 77 };
  const ingestion = await Ingestion.open({ store, restoreAt, ...parts });
  await ingestion.ingest(itemSource(items, !isLate), { refoldAfterMs: 0 });
  const { layers } = store.cursor.read();
  const [digest, end] = [ingestion.engine.digest(), await answers(store)];
  await store.close();
  return { digest, answers: end, onTheWay, layers, rows: await storedRows(dataDir) };
}

describe('a refold of the end of the log', () => {
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  test('leaves all rows and answers of a fold of everything, also while its layers are merged', async () => {
    const slots = market(40, 1);
    const expected = await ingested(slots.map(item), false);
    const late = slots[26] as SlotFacts;
    const earlier = slots[12] as SlotFacts;
    const [first, last] = [slots[0], slots.at(-1)];
    if (first === undefined || last === undefined) throw new Error('an empty market');
    const refolded = await ingested(
      [
        ...slots.filter((facts) => facts !== late && facts !== earlier).map(item),
        { kind: 'final', slot: last.slot },
        item(late),
        item(earlier),
      ],
      true,
    );
    expect(refolded.digest).toBe(expected.digest);
    expect(refolded.rows).toEqual(expected.rows);
    expect(refolded.answers).toEqual(expected.answers);
    const refolds = (refolded.layers?.folds.length ?? 0) - 1;
    expect(refolds).toBeGreaterThan(0);
    for (const during of refolded.onTheWay.slice(-3)) expect(during).toEqual(expected.answers);
  });

  test('leaves no row of a dropped slot, and the earlier rows of what only that slot changed', async () => {
    const slots = market(40, 2);
    const [dropped, last] = [slots[36] as SlotFacts, slots.at(-1) as SlotFacts];
    const expected = await ingested(slots.filter((facts) => facts !== dropped).map(item), false);
    const { slot } = dropped;
    const refolded = await ingested(
      [
        ...slots.map(item),
        { kind: 'final', slot: last.slot },
        { kind: 'dropped', from: slot, to: slot },
      ],
      true,
    );
    expect(refolded.digest).toBe(expected.digest);
    expect(refolded.layers?.folds).toHaveLength(2);
    expect(settled(refolded.rows)).toEqual(settled(expected.rows));
    for (const found of [...refolded.onTheWay, refolded.answers]) {
      expect(settled(found)).toEqual(settled(expected.answers));
    }
  });
});

/** Without the two tables whose rows may differ after a dropped slot (restored-records.ts). */
function settled(found: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isSettled = ([name]: readonly [string, unknown]) =>
    !/^(pools|balances|pool .+)$/.test(name);
  return Object.fromEntries(Object.entries(found).filter(isSettled));
}

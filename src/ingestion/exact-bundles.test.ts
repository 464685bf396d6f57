import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { signature } from '../../tests/support/build-transaction.ts';
import { trade } from '../../tests/support/bundle-trades.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { fallbackSolUsd, START_MS } from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import type { SourceItem } from '../chain/source.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { BundleOracle, ExactBundle } from '../model/bundle-oracle.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionStore } from './ingestion-store.ts';

type Answer = Promise<readonly ExactBundle[] | null>;

/** Transactions of a slot by trader. */
const bundle = (slot: number, ...names: string[]): ExactBundle => ({
  signatures: names.map((trader) => signature(`${trader} ${slot}`)),
});

/** Three buys far apart, without tips: only an oracle can know that they belong together. */
function traded(slot: number, rest: Partial<SlotFacts> = {}): SlotFacts {
  const transactions = ['a', 'b', 'c'].map((trader, at) =>
    trade({ txIndex: at * 20, who: trader, rest: { signature: signature(`${trader} ${slot}`) } }),
  );
  return {
    ...slotFacts(slot, START_MS + slot * 400, transactions),
    previousBlockhash: `hash ${slot - 1}`,
    blockhash: `hash ${slot}`,
    decoderVersion: DECODER_VERSION,
    ...rest,
  };
}

const block = (facts: SlotFacts): SourceItem => ({ kind: 'facts', facts });
const final = (slot: number): SourceItem => ({ kind: 'final', slot: asSlot(slot) });

function open(store: IngestionStore, rules = 'rules'): Promise<Ingestion> {
  const createEngine = () => new Engine({ fallbackSolUsd, undoSlotsMax: 64 });
  return Ingestion.open({ store, createEngine, rules });
}

interface IngestedItems {
  readonly items: Iterable<SourceItem>;
  readonly answer?: (slot: Slot) => Answer;
  readonly areBlocksFinal?: boolean;
}

async function ingest({ items, answer, areBlocksFinal = false }: IngestedItems) {
  const store = new MemoryStore();
  const opened = store.open();
  const ingestion = await open(opened);
  const asked: Slot[] = [];
  const bundleOracle: BundleOracle = {
    bundlesOf(slot) {
      asked.push(slot);
      return answer?.(slot) ?? Promise.resolve(null);
    },
  };
  const result = await ingestion.ingest(itemSource(items, areBlocksFinal), {
    ...(answer === undefined ? {} : { bundleOracle }),
    ...{ refoldAfterMs: 0, writeAfterMs: 0 },
  });
  const bundlesOf = async (slot: number) =>
    (await opened.log.find(asSlot(slot)))?.exactBundles ?? null;
  return { store, ingestion, asked, bundlesOf, answers: result.bundleAnswers };
}

const NONE = { known: 0, unknown: 0, failed: 0, late: 0 };

describe('an oracle of bundles', () => {
  test.each([true, false])(
    'is queried for each slot, and its answer is stored with it (blocks final: %s)',
    async (areBlocksFinal) => {
      const answer = async (slot: Slot) => [bundle(slot, 'a', 'b')];
      const items = [block(traded(10)), block(traded(11)), ...(areBlocksFinal ? [] : [final(11)])];
      const ingested = await ingest({ items, answer, areBlocksFinal });
      expect(ingested.asked).toEqual([10, 11]);
      expect(await ingested.bundlesOf(10)).toEqual([bundle(10, 'a', 'b')]);
      expect(await ingested.bundlesOf(11)).toEqual([bundle(11, 'a', 'b')]);
      expect(ingested.answers).toEqual({ ...NONE, known: 2 });
      ingested.store.close();
    },
  );

  test('is used as far as the slot has its transactions: none unknown, alone or twice, and at most five', async () => {
    const tooLong = bundle(10, 'a', 'b', 'c', 'x', 'y', 'z');
    const given = [
      tooLong,
      bundle(10, 'stranger', 'c'),
      bundle(10, 'b', 'stranger', 'a', 'b'),
      bundle(10, 'a', 'b'),
    ];
    const ingested = await ingest({
      items: [block(traded(10)), final(10)],
      answer: async () => given,
    });
    expect(await ingested.bundlesOf(10)).toEqual([bundle(10, 'b', 'a')]);
    ingested.store.close();
  });

  test('that does not know, rejects, throws or answers nonsense leaves the slot unchanged', async () => {
    const answers: Record<number, () => Answer> = {
      10: async () => null,
      11: async () => Promise.reject(new Error('no bundle service')),
      12: () => {
        throw new TypeError('not even a promise');
      },
      13: async () => [{}] as ExactBundle[],
      14: async () => [],
    };
    const slots = [10, 11, 12, 13, 14];
    const ingested = await ingest({
      items: [...slots.map((slot) => block(traded(slot))), final(14)],
      answer: (slot) => answers[slot]?.() ?? Promise.resolve(null),
    });
    expect(await Promise.all(slots.map(ingested.bundlesOf))).toEqual(slots.map(() => null));
    expect(ingested.answers).toEqual({ known: 1, unknown: 1, failed: 3, late: 0 });
    ingested.store.close();
  });

  test('that hangs delays one slot briefly, and is queried again once it has answered', async () => {
    const hanging = Promise.withResolvers<readonly ExactBundle[]>();
    function* items(): Generator<SourceItem> {
      yield block(traded(10));
      yield block(traded(11));
      hanging.resolve([bundle(10, 'a', 'b')]);
      yield final(11);
      yield block(traded(12));
      yield final(12);
    }
    const answer = (slot: Slot) =>
      slot === 10 ? hanging.promise : Promise.resolve([bundle(slot, 'a', 'b')]);
    const ingested = await ingest({ items: items(), answer });
    expect(ingested.asked).toEqual([10, 12]);
    expect(await ingested.bundlesOf(10)).toBeNull();
    expect(await ingested.bundlesOf(11)).toBeNull();
    expect(await ingested.bundlesOf(12)).toEqual([bundle(12, 'a', 'b')]);
    expect(ingested.answers).toEqual({ ...NONE, known: 1, late: 2 });
    ingested.store.close();
  });

  test('has more time for slots of the past, which are in no hurry', async () => {
    const answer = (slot: Slot) => delay(400, [bundle(slot, 'a', 'b')]);
    const items = () => [block(traded(10))];
    const past = await ingest({ items: items(), answer, areBlocksFinal: true });
    expect(past.answers).toEqual({ ...NONE, known: 1 });
    const followed = await ingest({ items: [...items(), final(10)], answer });
    expect(followed.answers).toEqual({ ...NONE, late: 1 });
    for (const { store } of [past, followed]) store.close();
  });

  test('is not needed to refold the log, nor by another process: state and rows are the same', async () => {
    const items = [block(traded(10)), block(traded(11)), final(11)];
    const ingested = await ingest({ items, answer: async (slot) => [bundle(slot, 'c', 'a')] });
    const alone = await ingest({ items });
    const rows = ingested.store.visibleRows();
    expect(rows.bundled_transactions).toHaveLength(4);
    for (const row of rows.bundled_transactions ?? []) {
      expect(row).toContain('"exact"');
    }
    expect(alone.store.visibleRows().bundled_transactions).toEqual([]);
    expect(alone.answers).toBeUndefined();
    const digest = ingested.ingestion.engine.digest();
    expect(alone.ingestion.engine.digest()).not.toBe(digest);

    const again = await open(ingested.store.open(), 'other rules');
    expect(again.status.refolds).toBe(1);
    expect(again.engine.digest()).toBe(digest);
    expect(ingested.store.visibleRows()).toEqual(rows);
    for (const { store } of [ingested, alone]) store.close();
  });

  test('is queried for a late slot too, and its answer for single transactions is kept when the block arrives', async () => {
    const whole = traded(10);
    const partial = { ...whole, isWhole: false, transactions: whole.transactions.slice(0, 2) };
    let isKnown = true;
    function* items(): Generator<SourceItem> {
      yield block(partial);
      yield block(traded(12));
      yield final(12);
      yield block(traded(11));
      isKnown = false;
      yield block(whole);
    }
    const answer = async (slot: Slot) => (isKnown ? [bundle(slot, 'a', 'b')] : null);
    const ingested = await ingest({ items: items(), answer });
    expect(ingested.asked).toEqual([10, 12, 11, 10]);
    expect(await ingested.bundlesOf(11)).toEqual([bundle(11, 'a', 'b')]);
    expect(await ingested.bundlesOf(10)).toEqual([bundle(10, 'a', 'b')]);
    ingested.store.close();
  });
});

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
import type { Slot } from '../model/units.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionStore } from './ingestion-store.ts';

type Answer = Promise<readonly ExactBundle[] | null>;

/** Transactions of a slot by who traded in them. */
const bundle = (slot: number, ...names: string[]): ExactBundle => ({
  signatures: names.map((who) => signature(`${who} ${slot}`)),
});

/** Three buys far apart, without tips: nothing but an oracle can say that they belong together. */
function traded(slot: number, rest: Partial<SlotFacts> = {}): SlotFacts {
  const transactions = ['a', 'b', 'c'].map((who, at) =>
    trade({ txIndex: at * 20, who, rest: { signature: signature(`${who} ${slot}`) } }),
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
const final = (slot: number): SourceItem => ({ kind: 'final', slot: slot as Slot });

function open(store: IngestionStore, rules = 'rules'): Promise<Ingestion> {
  const createEngine = () => new Engine({ fallbackSolUsd, undoSlotsMax: 64 });
  return Ingestion.open({ store, createEngine, rules, snapshots: null });
}

interface Told {
  readonly items: Iterable<SourceItem>;
  readonly answer?: (slot: Slot) => Answer;
  readonly areBlocksFinal?: boolean;
}

async function ingest({ items, answer, areBlocksFinal = false }: Told) {
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
    (await opened.log.find(slot as Slot))?.exactBundles ?? null;
  return { store, ingestion, asked, bundlesOf, answers: result.bundleAnswers };
}

const NONE = { known: 0, unknown: 0, failed: 0, late: 0 };

describe('an oracle of bundles', () => {
  test.each([true, false])(
    'is asked about each slot, and what it says is stored with it (blocks final: %s)',
    async (areBlocksFinal) => {
      const answer = async (slot: Slot) => [bundle(slot, 'a', 'b')];
      const items = [block(traded(10)), block(traded(11)), ...(areBlocksFinal ? [] : [final(11)])];
      const told = await ingest({ items, answer, areBlocksFinal });
      expect(told.asked).toEqual([10, 11]);
      expect(await told.bundlesOf(10)).toEqual([bundle(10, 'a', 'b')]);
      expect(await told.bundlesOf(11)).toEqual([bundle(11, 'a', 'b')]);
      expect(told.answers).toEqual({ ...NONE, known: 2 });
      told.store.close();
    },
  );

  test('is believed as far as the slot has what it names: no stranger, nothing alone, nothing twice, five at most', async () => {
    const tooLong = bundle(10, 'a', 'b', 'c', 'x', 'y', 'z');
    const given = [
      tooLong,
      bundle(10, 'stranger', 'c'),
      bundle(10, 'b', 'stranger', 'a', 'b'),
      bundle(10, 'a', 'b'),
    ];
    const told = await ingest({ items: [block(traded(10)), final(10)], answer: async () => given });
    expect(await told.bundlesOf(10)).toEqual([bundle(10, 'b', 'a')]);
    told.store.close();
  });

  test('that does not know, rejects, throws or answers nonsense leaves the slot as it was', async () => {
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
    const told = await ingest({
      items: [...slots.map((slot) => block(traded(slot))), final(14)],
      answer: (slot) => answers[slot]?.() ?? Promise.resolve(null),
    });
    expect(await Promise.all(slots.map(told.bundlesOf))).toEqual(slots.map(() => null));
    expect(told.answers).toEqual({ known: 1, unknown: 1, failed: 3, late: 0 });
    told.store.close();
  });

  test('that hangs holds one slot up for a moment, and is asked again when it has answered', async () => {
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
    const told = await ingest({ items: items(), answer });
    expect(told.asked).toEqual([10, 12]);
    expect(await told.bundlesOf(10)).toBeNull();
    expect(await told.bundlesOf(11)).toBeNull();
    expect(await told.bundlesOf(12)).toEqual([bundle(12, 'a', 'b')]);
    expect(told.answers).toEqual({ ...NONE, known: 1, late: 2 });
    told.store.close();
  });

  test('is not needed to fold the log again, nor by another process: state and rows are the same', async () => {
    const items = [block(traded(10)), block(traded(11)), final(11)];
    const told = await ingest({ items, answer: async (slot) => [bundle(slot, 'c', 'a')] });
    const alone = await ingest({ items });
    const rows = told.store.visibleRows();
    expect(rows.bundled_transactions).toHaveLength(4);
    expect(alone.store.visibleRows().bundled_transactions).toEqual([]);
    expect(alone.answers).toBeUndefined();
    const digest = told.ingestion.engine.digest();
    expect(alone.ingestion.engine.digest()).not.toBe(digest);

    const again = await open(told.store.open(), 'other rules');
    expect(again.status.refolds).toBe(1);
    expect(again.engine.digest()).toBe(digest);
    expect(told.store.visibleRows()).toEqual(rows);
    for (const { store } of [told, alone]) store.close();
  });

  test('is asked about a late slot too, and what it said of single transactions stays when the block comes', async () => {
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
    const told = await ingest({ items: items(), answer });
    expect(told.asked).toEqual([10, 12, 11, 10]);
    expect(await told.bundlesOf(11)).toEqual([bundle(11, 'a', 'b')]);
    expect(await told.bundlesOf(10)).toEqual([bundle(10, 'a', 'b')]);
    told.store.close();
  });
});

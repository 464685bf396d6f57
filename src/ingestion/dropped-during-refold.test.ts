import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { Killed, MemoryStore } from '../../tests/support/memory-store.ts';
import { calmFold, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SourceItem } from '../chain/source.ts';
import { Engine } from '../engine/engine.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { EngineStates } from './engine-states.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { RestoreAt } from './partial-refold.ts';

/** Time in which a refold that goes on ends. */
const REFOLDED_MS = 100;

describe('a slot that is dropped while a refold has folded it already', () => {
  const facts = marketFacts(24);
  const [late, gone, waiting, last] = [10, 14, 20, 23] as const;
  const slotAt = (index: number) => facts[index]?.slot ?? asSlot(0);
  const newEngine = () => new Engine({ fallbackSolUsd });

  function open(store: IngestionStore): Promise<Ingestion> {
    const restoreAt: RestoreAt = async (slot) => {
      const engine = newEngine();
      for await (const each of store.log.read()) {
        if (each.slot > slot) break;
        engine.apply(each);
      }
      return engine.lastSlot === null ? null : { engine, olderSlots: 0 };
    };
    return Ingestion.open({
      ...{ store, restoreAt, createEngine: newEngine, rules: 'rules', nowMs: () => 77 },
    });
  }

  /** The refold stops before it reads one of the last slots, until it may go on. */
  function holdRefold(store: IngestionStore) {
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const { read } = store.log;
    store.log.read = async function* (from = 0) {
      for await (const each of read(from)) {
        if (each.slot === slotAt(waiting) && from > 0) {
          begun.resolve();
          await mayGoOn.promise;
        }
        yield each;
      }
    };
    return { begun: begun.promise, goOn: () => mayGoOn.resolve() };
  }

  /** The process is killed when the rows of the refold are in one layer, before another begins. */
  function killAfterRefold(files: MemoryStore, store: IngestionStore): void {
    const { retain } = store.layers;
    store.layers.retain = async (layer) => {
      await retain(layer);
      if (store.cursor.read().epoch === 2) files.stepsLeft = 0;
    };
  }

  test.each([
    ['goes on', false],
    ['is killed before the next refold', true],
  ])('is a gap when the process %s', async (_, isKilled) => {
    const files = new MemoryStore();
    const store = files.open();
    const ingestion = await open(store);
    const { begun, goOn } = holdRefold(store);
    if (isKilled) killAfterRefold(files, store);
    async function* followed(): AsyncGenerator<SourceItem> {
      for (const [index, each] of facts.entries()) {
        const { slot } = each;
        if (index !== late) yield { kind: 'facts', facts: each };
        else yield { kind: 'missing', from: slot, to: slot, reason: 'none' };
      }
      yield { kind: 'final', slot: slotAt(last) };
      yield { kind: 'facts', facts: facts[late] as SlotFacts };
      yield { kind: 'final', slot: slotAt(last) };
      await begun;
      yield { kind: 'dropped', from: slotAt(gone), to: slotAt(gone) };
      goOn();
      await delay(REFOLDED_MS);
    }
    const hooks = { refoldAfterMs: 0, writeAfterMs: 0 };
    const outcome = await ingestion.ingest(itemSource(followed(), false), hooks).then(
      () => null,
      (error: unknown) => (error instanceof Killed ? error : (error as Error).cause),
    );
    expect(outcome instanceof Killed).toBe(isKilled);
    const { gaps } = isKilled ? await open(files.open()) : ingestion;
    expect(gaps.map(({ from, to }) => [from, to])).toEqual([[slotAt(gone), slotAt(gone)]]);
    files.close();
  });
});

describe('the block of the checkpoint at which a refold begins', () => {
  const PART_SLOTS = 20;
  const PARTS = 9;
  const SLOT_MS = 120_000;
  const numberOf = (slot: number) => asSlot(slot * (SLOT_MS / 400));
  const facts = marketFacts(PART_SLOTS * PARTS).map((each, index) => ({
    ...each,
    slot: numberOf(each.slot),
    parentSlot: each.parentSlot === null ? null : numberOf(each.parentSlot),
    blockTimeMs: Date.UTC(2026, 0, 1) + index * SLOT_MS,
  }));
  const slotAt = (index: number) => facts[index]?.slot ?? asSlot(0);
  /** Each part ends with a checkpoint. */
  const base = 7 * PART_SLOTS - 1;
  const [first, last] = [base + 11, facts.length - 3];

  test.each([
    ['a whole log', null],
    ['a log of which old slots were dropped', 200 * 60_000],
  ])('may turn out to be of a branch that lost: %s', async (_, retentionMs) => {
    const fold = new StoredFold();
    fold.logRetentionMs = retentionMs;
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    let isHeld = false;
    fold.createStates = (surroundings) => {
      const states = new EngineStates(surroundings);
      const { restoreAt } = states;
      states.restoreAt = async (...given) => {
        const restored = await restoreAt.apply(states, given);
        if (isHeld && !given[2].isForRows) {
          isHeld = false;
          begun.resolve();
          await mayGoOn.promise;
        }
        return restored;
      };
      return states;
    };
    await fold.open({ pagesMax: 20_000, objectBytesMax: 50_000_000 });
    for (let part = 0; part < PARTS; part++) {
      await fold.follow(facts.slice(part * PART_SLOTS, (part + 1) * PART_SLOTS));
    }
    isHeld = true;
    async function* followed(): AsyncGenerator<SourceItem> {
      yield { kind: 'dropped', from: slotAt(first), to: slotAt(last) };
      yield { kind: 'final', slot: slotAt(facts.length - 1) };
      await begun.promise;
      yield { kind: 'dropped', from: slotAt(base), to: slotAt(base) };
      mayGoOn.resolve();
      await delay(REFOLDED_MS);
    }
    const hooks = { writeAfterMs: 0, refoldAfterMs: 0 };
    await fold.ingestion.ingest(itemSource(followed(), false), hooks);
    const left = facts.filter((_each, index) => index !== base && (index < first || index > last));
    const calm = await calmFold(left);
    expect(fold.ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.rows.rowsByLayer().size).toBe(1);
    await fold.ingestion.close();
    fold.close();
  });
});

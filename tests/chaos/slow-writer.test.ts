import { describe, expect, test } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { Engine } from '../../src/engine/engine.ts';
import { TAIL_SLOTS_MAX } from '../../src/ingestion/fold.ts';
import { Ingestion } from '../../src/ingestion/ingestion.ts';
import type { SlotBatch } from '../../src/store/writes/slot-writer.ts';
import { marketDigest, marketFacts } from '../support/followed-market.ts';
import { itemSource } from '../support/item-source.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { MemoryStore } from '../support/memory-store.ts';

const SLOTS = 1_500;
const LAG = 32;
/** Maximum number of slots in a batch. */
const BATCH_SLOTS = 500;
const facts = marketFacts(SLOTS);

describe('a store that stalls while the source continues (F-12)', () => {
  test('stops the source after a bounded number of slots, and loses none of the waiting ones', async () => {
    const store = new MemoryStore();
    const opened = store.open();
    let release: (() => void) | null = null;
    const stalled = Promise.withResolvers<void>();
    const writeBatch = async (batch: SlotBatch) => {
      if (release === null) {
        await new Promise<void>((resolve) => {
          release = resolve;
          stalled.resolve();
        });
      }
      await opened.writer.writeBatch(batch);
    };
    const ingestion = await Ingestion.open({
      store: {
        ...opened,
        writer: { writeBatch, writeRestored: (rows) => opened.writer.writeRestored(rows) },
      },
      createEngine: () => new Engine({ fallbackSolUsd, undoSlotsMax: TAIL_SLOTS_MAX }),
      rules: 'rules',
    });
    let offered = 0;
    function* items(): Generator<SourceItem> {
      for (const [index, each] of facts.entries()) {
        offered++;
        yield { kind: 'facts', facts: each };
        const final = facts[index - LAG];
        if (final !== undefined) yield { kind: 'final', slot: final.slot };
      }
      yield { kind: 'final', slot: facts.at(-1)?.slot ?? facts[0]?.slot ?? (0 as never) };
    }
    const ingesting = ingestion.ingest(itemSource(items(), false));
    await stalled.promise;
    // The source could offer thousands of slots during the stall of 20,000 turns, observed twice.
    for (let turn = 0; turn < 20_000; turn++) await new Promise(setImmediate);
    const offeredInStall = offered;
    for (let turn = 0; turn < 20_000; turn++) await new Promise(setImmediate);
    expect(offered).toBe(offeredInStall);
    // One batch is being written, and one more waits.
    expect(offered).toBeLessThanOrEqual(2 * BATCH_SLOTS + LAG + 1);
    expect(ingestion.point.unwritten.length).toBe(offered);
    expect(ingestion.engine.lastSlot).toBe(facts[offered - 1]?.slot);
    (release as (() => void) | null)?.();
    const result = await ingesting;
    expect(result.slotsAdded).toBe(SLOTS);
    expect(store.visibleRows().slot_log).toHaveLength(SLOTS);
    expect(ingestion.engine.digest()).toBe(marketDigest(facts.at(-1)?.slot ?? 0));
    store.close();
  });
});

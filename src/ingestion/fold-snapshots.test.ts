import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { signature } from '../../tests/support/build-transaction.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import {
  createTrader,
  fallbackSolUsd,
  launch,
  SOL,
  START_MS,
} from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import type { SourceItem } from '../chain/source.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import { StoreError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { Snapshots } from '../store/snapshots/snapshots.ts';
import { type EngineFactory, EngineSnapshots, SNAPSHOT_EVERY_SLOTS } from './engine-snapshots.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';

const createEngine: EngineFactory = (chunks) => new Engine({ fallbackSolUsd }, chunks);
const itemsOf = (blocks: readonly SlotFacts[]): SourceItem[] =>
  blocks.map((facts) => ({ kind: 'facts', facts }));
const day = tradingDay(12);

/** A coin traded in every slot, so that every table gets rows. */
function tradingDay(slots: number): SlotFacts[] {
  const trade = createTrader();
  return Array.from({ length: slots }, (_, index) => {
    const traded = trade(`wallet ${index % 3}`, 'buy', SOL, 1_000n + BigInt(index), 1);
    const transactions = [
      ...(index === 0 ? [launch()] : []),
      { ...traded, signature: signature(`trade ${index}`) },
    ];
    return {
      ...slotFacts(1_000 + index, START_MS + index * 1_000, transactions),
      decoderVersion: DECODER_VERSION,
      blockhash: `hash ${index}`,
    };
  });
}

function quietSlots(count: number): SlotFacts[] {
  return Array.from({ length: count }, (_, index) =>
    slotFacts(5_000 + index, START_MS + index * 400, []),
  );
}

/** The oracle: an engine that folds all slots from the first and is never stored. */
function digestOf(blocks: readonly SlotFacts[]): string {
  const engine = createEngine(null);
  for (const facts of blocks) engine.apply(facts);
  return engine.digest();
}

let folder: string;
let store: MemoryStore;
let said: string[];
let folded: number;
let written: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fold-snapshots-'));
  store = new MemoryStore();
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

interface Opening {
  readonly rules?: string;
  readonly isWritable?: boolean;
  readonly opened?: IngestionStore;
}

/** A starting process; `said`, `folded` and `written` are of the newest one. */
async function open({ rules = 'rules', isWritable = true, opened = store.open() }: Opening = {}) {
  said = [];
  folded = 0;
  written = 0;
  const snapshots = new Snapshots(folder, async () => {
    written++;
    if (!isWritable) throw new StoreError('the disk is full');
  });
  const parts = {
    store: opened,
    createEngine,
    rules: 'rules',
    snapshots: new EngineSnapshots({ snapshots, log: opened.log, rules }),
    nowMs: () => 77,
  };
  return await Ingestion.open(parts, hooks);
}

const hooks: IngestionHooks = {
  onFold: () => folded++,
  onSnapshotProblem: (sentence) => said.push(sentence),
};
const keptSlots = () => new Snapshots(folder).names().map((name) => Number(name.split('-')[1]));
const ingest = (ingestion: Ingestion, blocks: readonly SlotFacts[], more: IngestionHooks = {}) =>
  ingestion.ingest(itemSource(itemsOf(blocks), true), { ...hooks, ...more });

/** Rows of a store that received all blocks in one run, without any snapshot. */
async function calmRows(blocks: readonly SlotFacts[]): Promise<Record<string, string[]>> {
  const calm = new MemoryStore();
  const parts = { createEngine, rules: 'rules', snapshots: null, nowMs: () => 77 };
  const ingestion = await Ingestion.open({ ...parts, store: calm.open() });
  await ingest(ingestion, blocks);
  const rows = calm.visibleRows();
  calm.close();
  return rows;
}

/** Stores blocks like a process that is killed before it moves the cursor. */
async function logBehindCursor(blocks: readonly SlotFacts[]): Promise<void> {
  await store.open().writer.writeBatch({ epoch: 1, slots: blocks, changes: [] });
}

describe('a start from a snapshot', () => {
  test('folds only the log after it, and ends with state and rows of a single run', async () => {
    await ingest(await open(), day.slice(0, 5));
    expect(keptSlots()).toEqual([1_004]);
    await logBehindCursor(day.slice(5, 8));
    const ingestion = await open();
    expect(folded).toBe(3);
    expect(ingestion.engine.digest()).toBe(digestOf(day.slice(0, 8)));
    await ingest(ingestion, day.slice(8));
    expect(ingestion.engine.digest()).toBe(digestOf(day));
    expect(store.visibleRows()).toEqual(await calmRows(day));
    expect(said).toEqual([]);
    expect(ingestion.gaps).toEqual([]);
  });

  test('knows the slot it continues from: missing slots after it are reported', async () => {
    await ingest(await open(), day.slice(0, 5));
    const ingestion = await open();
    expect(ingestion.status.finalSlot).toBe(1_004);
    const { parentSlot: _, ...later } = day[8] ?? slotFacts(0, 0, []);
    await ingest(ingestion, [{ ...later, parentSlot: asSlot(1_007) }]);
    expect(ingestion.gaps).toMatchObject([{ from: 1_005, to: 1_007 }]);
  });

  test('saves nothing again if nothing was added', async () => {
    await ingest(await open(), day.slice(0, 5));
    const [name] = new Snapshots(folder).names();
    const ingestion = await open({ isWritable: false });
    await ingest(ingestion, day.slice(0, 5));
    expect(said).toEqual([]);
    expect(new Snapshots(folder).names()).toEqual([name]);
  });

  test('does not happen if the gap ledger is empty, which the whole log fills', async () => {
    await ingest(await open(), day.slice(0, 5));
    const opened = store.open();
    const gaps = { gaps: [], ranges: () => [], counts: opened.gaps.counts, isEmpty: true };
    const ingestion = await open({ opened: { ...opened, gaps } });
    expect(folded).toBe(5);
    expect(ingestion.engine.digest()).toBe(digestOf(day.slice(0, 5)));
  });

  test('does not happen from a snapshot of other rules: it is refused and the log folded', async () => {
    await ingest(await open(), day.slice(0, 5));
    const ingestion = await open({ rules: 'other rules' });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('it was written under "rules');
    expect(folded).toBe(5);
    expect(ingestion.engine.digest()).toBe(digestOf(day.slice(0, 5)));
  });

  test('uses the older one if the newest is damaged, and the log if both are', async () => {
    await ingest(await open(), day.slice(0, 5));
    await ingest(await open(), day.slice(5, 9));
    expect(keptSlots()).toEqual([1_008, 1_004]);
    const [newest = '', older = ''] = new Snapshots(folder).names();
    for (const [name, slotsToFold] of [
      [newest, 4],
      [older, 9],
    ] as const) {
      truncateSync(join(folder, name), 300);
      const ingestion = await open();
      expect(folded).toBe(slotsToFold);
      expect(said.at(-1)).toBe(`The snapshot ${name} is not used: it is cut off.`);
      expect(ingestion.engine.digest()).toBe(digestOf(day.slice(0, 9)));
    }
  });

  test('after a kill before any write ends like an uninterrupted run', async () => {
    const rows = await calmRows(day);
    const eager = { ...hooks, writeAfterMs: 0 };
    const parts = [day.slice(0, 4), day.slice(6, 9), day.slice(4, 6)];
    let restarted = 0;
    for (let killedBefore = 0; ; killedBefore++) {
      store.close();
      store = new MemoryStore();
      rmSync(folder, { recursive: true });
      const opened = store.open();
      store.stepsLeft = killedBefore;
      const run = async () => {
        const ingestion = await open({ opened });
        for (const blocks of parts) await ingest(ingestion, blocks, eager);
      };
      const failure = await run().then(
        () => null,
        (error: unknown) => String(error),
      );
      if (failure === null) break;
      expect(failure).toContain('killed before a write');
      const hadLogged = store.visibleRows().slot_log?.length ?? 0;
      const ingestion = await open();
      if (folded < hadLogged) restarted++;
      await ingest(ingestion, day);
      expect(ingestion.engine.digest()).toBe(digestOf(day));
      expect(store.visibleRows()).toEqual(rows);
    }
    expect(restarted).toBeGreaterThan(20);
  }, 60_000);
});

describe('a snapshot', () => {
  test('contains only final slots after following a chain', async () => {
    const ingestion = await open();
    const items = itemsOf(day);
    const final: SourceItem = { kind: 'final', slot: asSlot(1_006) };
    await ingestion.ingest(itemSource([...items, final], false), hooks);
    expect(keptSlots()).toEqual([1_006]);
    const restarted = await open();
    expect(folded).toBe(0);
    expect(restarted.engine.digest()).toBe(digestOf(day.slice(0, 7)));
  });

  test('is not saved by a source that ends while another one has a tail', async () => {
    const ingestion = await open();
    async function* follow(): AsyncGenerator<SourceItem> {
      yield* itemsOf(day.slice(0, 6));
      yield { kind: 'final', slot: asSlot(1_003) };
      await ingest(ingestion, day.slice(0, 2));
      expect(keptSlots()).toEqual([]);
    }
    await ingestion.ingest(itemSource(follow(), false), hooks);
    expect(keptSlots()).toEqual([1_003]);
    expect(said).toEqual([]);
  });

  test('from before late slots is replaced by one of the refolded log', async () => {
    await ingest(await open(), day.slice(3, 6));
    const ingestion = await open();
    for (const index of [2, 1, 0]) await ingest(ingestion, day.slice(index, index + 1));
    expect(ingestion.status.refolds).toBe(3);
    expect(keptSlots()).toEqual([1_005]);
    const restarted = await open();
    expect([folded, said]).toEqual([0, []]);
    expect(restarted.engine.digest()).toBe(digestOf(day.slice(0, 6)));
  });

  test('is written once, after late slots were folded in', async () => {
    await ingest(await open(), day.slice(3, 6));
    const ingestion = await open();
    await ingest(ingestion, [...day.slice(6, 8), ...day.slice(0, 1)]);
    expect([ingestion.status.refolds, written]).toEqual([1, 1]);
    expect(keptSlots()).toEqual([1_007]);
    const restarted = await open();
    expect([folded, said]).toEqual([0, []]);
    expect(restarted.engine.digest()).toBe(digestOf([...day.slice(0, 1), ...day.slice(3, 8)]));
  });

  test('that cannot be saved is only reported', async () => {
    const ingestion = await open({ isWritable: false });
    await ingest(ingestion, day);
    expect(said).toEqual(['The state after slot 1011 is not kept: the disk is full']);
    expect(store.visibleRows()).toEqual(await calmRows(day));
    const restarted = await open();
    expect(folded).toBe(day.length);
    expect(restarted.engine.digest()).toBe(digestOf(day));
  });

  test('is saved during a source after the usual number of slots, and a killed run continues from it', async () => {
    const quiet = quietSlots(SNAPSHOT_EVERY_SLOTS + 3);
    const ingestion = await open();
    async function* untilKilled(): AsyncGenerator<SourceItem> {
      yield* itemsOf(quiet);
      throw new RangeError('killed');
    }
    await expect(ingestion.ingest(itemSource(untilKilled(), true), hooks)).rejects.toThrow(
      'killed',
    );
    expect(keptSlots()).toEqual([4_999 + SNAPSHOT_EVERY_SLOTS]);
    const restarted = await open();
    expect(folded).toBe(0);
    await ingest(restarted, quiet.slice(-3));
    expect(restarted.engine.digest()).toBe(digestOf(quiet));
  }, 60_000);

  test('is saved immediately by a start that had to fold as many slots', async () => {
    const quiet = quietSlots(SNAPSHOT_EVERY_SLOTS);
    const opened = store.open();
    const { slot = null } = quiet.at(-1) ?? {};
    opened.cursor.write({ epoch: 1, slot, isDirty: false }, [
      { state: 'held', from: quiet[0]?.slot ?? asSlot(0), to: slot ?? asSlot(0) },
    ]);
    opened.cursor.writeRules('rules');
    async function* read(fromSlot = 0): AsyncGenerator<SlotFacts> {
      yield* quiet.filter((facts) => facts.slot >= fromSlot);
    }
    const find = async (wanted: number) => quiet.find((facts) => facts.slot === wanted) ?? null;
    const longLog = { ...opened, log: { ...opened.log, read, find } };
    await open({ opened: longLog });
    expect([folded, keptSlots()]).toEqual([SNAPSHOT_EVERY_SLOTS, [slot]]);
    await open({ opened: longLog });
    expect([folded, written]).toEqual([0, 0]);
  }, 60_000);
});

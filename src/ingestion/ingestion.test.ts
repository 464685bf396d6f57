import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { type ChainScript, chainScripts, scriptOf } from '../../tests/support/chain-script.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { createTrader, launch, SOL, START_MS } from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import type { SourceItem } from '../chain/source.ts';
import { Engine } from '../engine/engine.ts';
import { ChainError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotState } from '../model/slot-range.ts';
import { asPriceE18, asSlot } from '../model/units.ts';
import { TAIL_SLOTS_MAX } from './fold.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';

const newEngine = () => new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
const open = (store: IngestionStore) =>
  Ingestion.open({
    store,
    createEngine: newEngine,
    rules: 'rules',
    nowMs: () => 77,
  });
/** Folds late slots in immediately, in addition to the live fold. */
const EAGER: IngestionHooks = { refoldAfterMs: 0, writeAfterMs: 0 };
/** Late slots at the end, immediately, or immediately with every slot written on its own. */
const PACES: readonly IngestionHooks[] = [{}, { refoldAfterMs: 0 }, EAGER];

/** The oracle: the final blocks, folded in slot order by an independent engine. */
function digestOf(blocks: readonly SlotFacts[]): string {
  const engine = newEngine();
  for (const facts of blocks) engine.apply(facts);
  return engine.digest();
}

/** The oracle's rows: the changes of the same engine written in one piece. */
async function rowsOf(blocks: readonly SlotFacts[]): Promise<Record<string, string[]>> {
  const store = new MemoryStore();
  const engine = newEngine();
  const changes = blocks.map((facts) => engine.apply(facts));
  await store.open().writer.writeBatch({ epoch: 1, slots: blocks, changes });
  const rows = store.visibleRows();
  store.close();
  return rows;
}

function statesOf({ gaps }: IngestionStore, states: ChainScript['states']) {
  return new Map([...states.keys()].map((slot) => [slot, stateOf(gaps, slot)]));
}

function stateOf(gaps: IngestionStore['gaps'], slot: number): SlotState | undefined {
  return gaps.ranges(asSlot(slot), asSlot(slot))[0]?.state;
}

function finalOf(blocks: readonly SlotFacts[]): SourceItem[] {
  const slot = blocks.at(-1)?.slot;
  return slot === undefined ? [] : [{ kind: 'final', slot }];
}

/** A coin traded in every slot, so that every table gets rows. */
function tradingDay(): SlotFacts[] {
  const trade = createTrader();
  return Array.from({ length: 12 }, (_, index) =>
    slotFacts(1_000 + index, START_MS + index * 1_000, [
      ...(index === 0 ? [launch()] : []),
      trade(`wallet ${index % 3}`, 'buy', SOL, 1_000n + BigInt(index), 1),
    ]),
  );
}

describe('ingestion of a chain that is followed', () => {
  test('has state, rows and slots of the final branch, regardless of what came in between', async () => {
    await fc.assert(
      fc.asyncProperty(chainScripts, fc.constantFrom(...PACES), async (script, hooks) => {
        const store = new MemoryStore();
        const opened = store.open();
        const ingestion = await open(opened);
        await ingestion.ingest(itemSource(script.items, false), hooks);
        expect(ingestion.engine.digest()).toBe(digestOf(script.final));
        expect(store.visibleRows()).toEqual(await rowsOf(script.final));
        expect(statesOf(opened, script.states)).toEqual(script.states);
        store.close();
      }),
      { numRuns: 150 },
    );
  });

  test('shows the newest branch while it is not final, and stores nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(chainScripts, async (script) => {
        const store = new MemoryStore();
        const ingestion = await open(store.open());
        const watched = watchEnd(script.items, () => ({
          digest: ingestion.engine.digest(),
          rows: store.visibleRows(),
        }));
        await ingestion.ingest(itemSource(watched.items, false), { refoldAfterMs: 1e9 });
        const { digest, rows } = watched.seen();
        // Late slots of the final part are folded in at the end, as shown by another test.
        if (ingestion.status.refolds === 0) expect(digest).toBe(digestOf(script.branch));
        const stayed = new Set(script.final.map(({ blockhash }) => blockhash));
        for (const row of rows.slot_log ?? []) {
          expect(stayed).toContain((JSON.parse(row) as { blockhash: string }).blockhash);
        }
        store.close();
      }),
      { numRuns: 150 },
    );
  });

  test('ends like an uninterrupted run after a kill before any write', async () => {
    const script = scriptOf(
      [
        { op: 'block', skipped: 0, lost: 0 },
        { op: 'block', skipped: 1, lost: 0 },
        { op: 'block', skipped: 0, lost: 2 },
        { op: 'final', lag: 1 },
        { op: 'block', skipped: 0, lost: 0 },
        { op: 'undo', depth: 1 },
        { op: 'block', skipped: 1, lost: 0 },
        { op: 'final', lag: 0 },
        { op: 'late', choice: 0 },
        { op: 'block', skipped: 0, lost: 0 },
        { op: 'final', lag: 0 },
      ],
      tradingDay(),
    );
    const calm = new MemoryStore();
    const calmIngestion = await open(calm.open());
    await calmIngestion.ingest(itemSource(script.items, false), EAGER);
    expect(calmIngestion.engine.digest()).toBe(digestOf(script.branch));
    expect(calm.steps).toBeGreaterThan(30);
    for (let killedBefore = 0; killedBefore < calm.steps; killedBefore++) {
      const store = new MemoryStore();
      await killed(store, script, killedBefore);
      const opened = store.open();
      const ingestion = await open(opened);
      const cursor = opened.cursor.read();
      expect(ingestion.engine.lastSlot).toBe(cursor.slot);
      const rest: SourceItem[] = script.branch.map((facts) => ({ kind: 'facts', facts }));
      await ingestion.ingest(itemSource([...rest, ...finalOf(script.branch)], false));
      expect(ingestion.engine.digest()).toBe(calmIngestion.engine.digest());
      expect(store.visibleRows()).toEqual(calm.visibleRows());
      store.close();
    }
    calm.close();
  });

  test('stops when the source reverts a final slot, and keeps the stored data', async () => {
    const script = scriptOf(blocks(4), tradingDay());
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const forked: SourceItem = {
      kind: 'undo',
      toSlot: asSlot(1_001),
      toBlockhash: 'hash 1',
    };
    const items = [...script.items, ...finalOf(script.branch), forked];
    const ingesting = ingestion.ingest(itemSource(items, false), EAGER);
    await expect(ingesting).rejects.toThrow(ChainError);
    await expect(ingesting).rejects.toThrow(/up to 1003 is final/);
    expect(store.visibleRows().slot_log).toHaveLength(4);
    store.close();
  });

  test('stops when the source reverts to an unknown block', async () => {
    const script = scriptOf(blocks(3), tradingDay());
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const astray: SourceItem = { kind: 'undo', toSlot: asSlot(1_001), toBlockhash: 'other' };
    const ingesting = ingestion.ingest(itemSource([...script.items, astray], false));
    await expect(ingesting).rejects.toThrow('ends at slot 1001 (hash 1)');
    store.close();
  });

  test('stops when nothing becomes final for the maximum number of slots', async () => {
    const script = scriptOf(blocks(TAIL_SLOTS_MAX + 1), [slotFacts(1, START_MS, [])]);
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const ingesting = ingestion.ingest(itemSource(script.items, false));
    await expect(ingesting).rejects.toThrow(/512 slots from 1000 on are not final/);
    store.close();
  });

  test('reports a gap before it is final, and drops it with its branch', async () => {
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const script = scriptOf(
      [...blocks(2), { op: 'block', skipped: 0, lost: 2 }, { op: 'undo', depth: 1 }, ...blocks(3)],
      tradingDay(),
    );
    const seen: unknown[] = [];
    async function* items(): AsyncGenerator<SourceItem> {
      for (const item of script.items) {
        yield item;
        seen.push(ingestion.gaps.map(({ from, to, reason, tries }) => [from, to, reason, tries]));
      }
    }
    await ingestion.ingest(itemSource(items(), false));
    const gap = [1_002, 1_003, 'no provider has them', 1];
    expect(seen).toEqual([[], [], [gap], [gap], [], [], [], []]);
    store.close();
  });

  test('reports a gap with the slot after it, also when gaps were asked for while it was taken', async () => {
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const script = scriptOf(
      [...blocks(2), { op: 'block', skipped: 0, lost: 2 }, ...blocks(1)],
      tradingDay(),
    );
    const seen: number[] = [];
    ingestion.listen({
      onApplied: () => undefined,
      onReverted: () => undefined,
      onReplaced: () => undefined,
      onStep: () => seen.push(ingestion.gaps.length),
    });
    const onSlot = () => void ingestion.gaps;
    // Only the parent of the third block says that others were lost.
    const items = script.items.filter(({ kind }) => kind !== 'missing');
    await ingestion.ingest(itemSource(items, false), { onSlot });
    expect(seen.slice(0, 4)).toEqual([0, 0, 1, 1]);
    store.close();
  });

  test('refuses to answer from a slot that was applied in part when it ends with an error', async () => {
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const { branch } = scriptOf(blocks(3), tradingDay());
    const apply = ingestion.engine.apply.bind(ingestion.engine);
    ingestion.engine.apply = (facts, options) => {
      if (facts.slot === branch[2]?.slot) throw new RangeError('a table is full');
      return apply(facts, options);
    };
    const items = branch.map((facts): SourceItem => ({ kind: 'facts', facts }));
    const ending = ingestion.ingest(itemSource(items, false));
    await expect(ending).rejects.toThrow('a table is full');
    expect(ingestion.isRebuilding).toBe(true);
    expect(() => ingestion.digest()).toThrow('The current state is being computed again.');
    store.close();
  });

  test('continues while late slots of another source are folded in', async () => {
    const script = scriptOf(blocks(12), tradingDay());
    const [early, live] = [script.branch.slice(0, 6), script.branch.slice(6)];
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const backfilled = Promise.withResolvers<void>();
    const isReady = Promise.withResolvers<void>();
    const held: number[] = [];
    async function* follow(): AsyncGenerator<SourceItem> {
      for (const [index, facts] of live.entries()) {
        yield { kind: 'facts', facts };
        if (index === 2) {
          yield { kind: 'final', slot: facts.slot };
          isReady.resolve();
          await backfilled.promise;
        }
        held.push(ingestion.status.tailSlots);
      }
      yield { kind: 'final', slot: live.at(-1)?.slot ?? asSlot(0) };
    }
    const following = ingestion.ingest(itemSource(follow(), false));
    await isReady.promise;
    const past: SourceItem[] = early.map((facts) => ({ kind: 'facts', facts }));
    await ingestion.ingest(itemSource(past, true));
    expect(ingestion.engine.lastSlot).toBe(live[2]?.slot);
    expect(ingestion.engine.digest()).toBe(digestOf(script.branch.slice(0, 9)));
    backfilled.resolve();
    await following;
    expect(ingestion.status).toMatchObject({ refolds: 1, lateSlots: 6, isRefolding: false });
    expect(ingestion.engine.digest()).toBe(digestOf(script.branch));
    expect(store.visibleRows()).toEqual(await rowsOf(script.branch));
    expect(held).toEqual([1, 2, 0, 1, 2, 3]);
    store.close();
  });

  test('keeps the tail through a refold', async () => {
    const script = scriptOf(blocks(12), tradingDay());
    const [early, live] = [script.branch.slice(0, 6), script.branch.slice(6)];
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    let digest = '';
    async function* follow(): AsyncGenerator<SourceItem> {
      for (const facts of live) yield { kind: 'facts', facts };
      yield { kind: 'final', slot: live[1]?.slot ?? asSlot(0) };
      const past: SourceItem[] = early.map((facts) => ({ kind: 'facts', facts }));
      await ingestion.ingest(itemSource(past, true));
      digest = ingestion.engine.digest();
      expect(ingestion.status).toMatchObject({ refolds: 1, tailSlots: 4 });
      const [, , target] = live;
      const { slot, blockhash } = target ?? script.branch[0] ?? slotFacts(0, 0, []);
      yield { kind: 'undo', toSlot: slot, toBlockhash: String(blockhash) };
      expect(ingestion.engine.digest()).toBe(digestOf(script.branch.slice(0, 9)));
    }
    await ingestion.ingest(itemSource(follow(), false));
    expect(digest).toBe(digestOf(script.branch));
    expect(ingestion.engine.digest()).toBe(digestOf(script.branch.slice(0, 8)));
    store.close();
  });

  test('delays a source of final blocks that is ahead of the final slot', async () => {
    const script = scriptOf(blocks(6), tradingDay());
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const whole: SourceItem[] = script.branch.map((facts) => ({ kind: 'facts', facts }));
    async function* follow(): AsyncGenerator<SourceItem> {
      yield* script.items.slice(0, 3);
      await new Promise((resolve) => setTimeout(resolve, 120));
      expect(store.visibleRows().slot_log).toHaveLength(0);
      yield { kind: 'final', slot: asSlot(1_002) };
    }
    await Promise.all([
      ingestion.ingest(itemSource(follow(), false)),
      ingestion.ingest(itemSource(whole, true)),
    ]);
    expect(ingestion.engine.digest()).toBe(digestOf(script.branch));
    expect(ingestion.status).toMatchObject({ lateSlots: 0, refolds: 0 });
    store.close();
  });

  test('accepts one source that follows the chain at a time', async () => {
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const wait = Promise.withResolvers<void>();
    async function* endless(): AsyncGenerator<SourceItem> {
      await wait.promise;
      yield* [];
    }
    const first = ingestion.ingest(itemSource(endless(), false));
    await expect(ingestion.ingest(itemSource([], false))).rejects.toThrow('being ingested already');
    wait.resolve();
    await first;
    await ingestion.ingest(itemSource([], false));
    store.close();
  });
});

function blocks(count: number) {
  return Array.from({ length: count }, () => ({ op: 'block', skipped: 0, lost: 0 }) as const);
}

/** The items, and the result of `look` after the last of them was processed. */
function watchEnd<Seen>(items: readonly SourceItem[], look: () => Seen) {
  const seen: Seen[] = [];
  async function* watched(): AsyncGenerator<SourceItem> {
    yield* items;
    seen.push(look());
  }
  return { items: watched(), seen: () => seen[0] as Seen };
}

/** Runs the script until the process is killed before write number `killedBefore`. */
async function killed(store: MemoryStore, script: ChainScript, killedBefore: number) {
  const opened = store.open();
  store.stepsLeft = killedBefore;
  const run = async () => {
    const ingestion = await open(opened);
    await ingestion.ingest(itemSource(script.items, false), EAGER);
  };
  await expect(run()).rejects.toThrow('killed before a write');
}

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { balanceChange, slotFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { chainScripts } from '../../tests/support/chain-script.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { signatureNamed } from '../../tests/support/made-up-units.ts';
import {
  createTrader,
  launch,
  mint,
  pool,
  SOL,
  START_MS,
} from '../../tests/support/master-fixture.ts';
import { Killed, MemoryStore } from '../../tests/support/memory-store.ts';
import type { SourceItem } from '../chain/source.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { SlotFacts, TransactionFacts } from '../model/slot-facts.ts';
import { type Address, asPriceE18, asSlot, type Slot } from '../model/units.ts';
import { type FoldStates, unstoredStates } from './fold-states.ts';
import { Ingestion } from './ingestion.ts';
import type { FoldPosition, IngestionHooks, RefoldChange } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { RestoreAt } from './partial-refold.ts';
import type { StateCheckpoints } from './state-checkpoints.ts';

const newEngine = () => new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
const EAGER: IngestionHooks = { refoldAfterMs: 0, writeAfterMs: 0 };

/** Restores the state after the newest slot of the log up to the given one, by folding it. */
function restoring({ log }: IngestionStore, asked: number[] = []): RestoreAt {
  return async (slot) => {
    asked.push(slot);
    const engine = newEngine();
    for await (const facts of log.read()) {
      if (facts.slot > slot) break;
      engine.apply(facts);
    }
    return engine.lastSlot === null ? null : { engine, olderSlots: 0 };
  };
}

function open(store: IngestionStore, restoreAt: RestoreAt = restoring(store)): Promise<Ingestion> {
  const parts = { createEngine: newEngine, rules: 'rules', nowMs: () => 77 };
  return Ingestion.open({ store, restoreAt, ...parts });
}

/** The token account of an owner, and its name for the other coin. */
function accounts(owner: Address, name: string): [Address, Address][] {
  return [[balanceChange(owner, 0n, 0n).account, address(`${name} account`)]];
}

/** The same trade of another coin, in a pool of its own. */
function ofOtherCoin(transaction: TransactionFacts): TransactionFacts {
  const names = new Map<string, string>([
    [mint, address('token-u')],
    [pool, address('pool-u')],
    ...accounts(pool, 'pool-u'),
    ...accounts(address('elsewhere'), 'account-u'),
  ]);
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value;
    if (Array.isArray(value)) return value.map(renamed);
    if (value === null || typeof value !== 'object') return value;
    const fields = Object.entries(value).map(([name, field]) => [name, renamed(field)]);
    return Object.fromEntries(fields);
  };
  return renamed(transaction) as TransactionFacts;
}

/**
 * A chain in which a coin is traded in every block; `other` is another coin that is traded only in
 * the given slots. The minutes and candles end while it runs.
 */
function chain(count: number, { other = [] as readonly number[], stepMs = 7_000 } = {}) {
  const [trade, tradeOther] = [createTrader(), createTrader()];
  const slots: SlotFacts[] = [];
  for (let index = 0; index < count; index++) {
    const previous = slots.at(-1);
    const slot = asSlot(1_000 + index);
    const transactions = [
      ...(index === 0 ? [launch()] : []),
      trade(`wallet ${index % 5}`, index % 4 === 3 ? 'sell' : 'buy', SOL, 900n + BigInt(index), 1),
      ...(other.includes(slot) ? [ofOtherCoin(tradeOther('elsewhere', 'buy', SOL, 77n, 2))] : []),
    ].map((transaction) => ({
      ...transaction,
      signature: signatureNamed(`${transaction.signature} ${slot}`),
    }));
    slots.push({
      ...slotFacts(slot, START_MS + index * stepMs, transactions),
      parentSlot: previous?.slot ?? asSlot(999),
      blockhash: `block ${slot}`,
      previousBlockhash: previous?.blockhash ?? 'before all',
      decoderVersion: DECODER_VERSION,
    });
  }
  return slots;
}

const item = (facts: SlotFacts): SourceItem => ({ kind: 'facts', facts });
const final = (slot: number): SourceItem => ({ kind: 'final', slot: asSlot(slot) });
const missing = (from: number, to: number): SourceItem => {
  return { kind: 'missing', from: asSlot(from), to: asSlot(to), reason: 'no node has it' };
};
const without = (slots: readonly SlotFacts[], ...left: readonly number[]) =>
  slots.filter(({ slot }) => !left.includes(slot));

/** The blocks, folded by an independent engine in one go, and its rows in one piece. */
async function calm(blocks: readonly SlotFacts[]) {
  const engine = newEngine();
  const store = new MemoryStore();
  const changes = blocks.map((facts) => engine.apply(facts));
  await store.open().writer.writeBatch({ epoch: 1, slots: blocks, changes });
  const rows = store.visibleRows();
  store.close();
  return { digest: engine.digest(), rows };
}

/** State and rows are those of the blocks. Closes the store. */
async function expectCalm(
  ingestion: Ingestion,
  store: MemoryStore,
  blocks: readonly SlotFacts[],
): Promise<void> {
  const expected = await calm(blocks);
  expect(ingestion.engine.digest()).toBe(expected.digest);
  expect(store.visibleRows()).toEqual(expected.rows);
  store.close();
}

/** All of a chain but one slot, which comes after the others are final. */
function lateItems(slots: readonly SlotFacts[], late: number): SourceItem[] {
  const last = slots.at(-1)?.slot ?? 0;
  const at = slots.findIndex(({ slot }) => slot === late);
  return [
    ...slots.slice(0, at).map(item),
    missing(late, late),
    ...slots.slice(at + 1).map(item),
    final(last),
    ...slots.filter(({ slot }) => slot === late).map(item),
  ];
}

describe('a refold of the end of the log', () => {
  test('begins before a late slot and leaves the rows of one fold of everything, in one layer', async () => {
    const slots = chain(24);
    const store = new MemoryStore();
    const opened = store.open();
    const asked: number[] = [];
    const folded: number[] = [];
    const ingestion = await open(opened, restoring(opened, asked));
    const changes: RefoldChange[] = [];
    const positions: FoldPosition[] = [];
    const hooks: IngestionHooks = {
      ...EAGER,
      onFold: (count, position) => {
        folded.push(count);
        positions.push(position);
      },
      onRefold: (change) => changes.push(change),
    };
    await ingestion.ingest(itemSource(lateItems(slots, 1_014), false), hooks);
    const expected = await calm(slots);
    expect(asked[0]).toBe(1_013);
    expect(changes).toEqual([
      { kind: 'began', fromSlot: 1_014, lastSlot: 1_023 },
      { kind: 'ended', fromSlot: 1_014, isStopped: false },
    ]);
    expect([positions[0], positions.at(-1)]).toEqual([
      { slot: 1_014, lastSlot: 1_023 },
      { slot: 1_023, lastSlot: 1_023 },
    ]);
    expect(Math.max(...folded)).toBe(10);
    expect(ingestion.engine.digest()).toBe(expected.digest);
    expect(store.visibleRows()).toEqual(expected.rows);
    expect([...store.rowsByLayer().keys()]).toEqual([1]);
    expect(opened.cursor.read()).toMatchObject({
      ...{ epoch: 2, slot: 1_023, isDirty: false },
      layers: { top: 1, base: null, folds: [{ epoch: 1 }, { epoch: 2, afterSlot: 1_013 }] },
    });
    store.close();
  });

  test('folds everything when no earlier state can be restored', async () => {
    const slots = chain(12);
    const store = new MemoryStore();
    const opened = store.open();
    const folded: number[] = [];
    const ingestion = await open(opened, async () => null);
    const changes: RefoldChange[] = [];
    const hooks: IngestionHooks = {
      ...EAGER,
      onFold: (count) => folded.push(count),
      onRefold: (change) => changes.push(change),
    };
    await ingestion.ingest(itemSource(lateItems(slots, 1_006), false), hooks);
    expect(Math.max(...folded)).toBe(12);
    expect(changes).toEqual([
      { kind: 'began', fromSlot: null, lastSlot: 1_011 },
      { kind: 'ended', fromSlot: null, isStopped: false },
    ]);
    expect(store.visibleRows()).toEqual((await calm(slots)).rows);
    expect(opened.cursor.read()).toMatchObject({ epoch: 2, isDirty: false });
    store.close();
  });

  test.each([
    ['an hour later', 1_004, 1_018],
    ['of an earlier slot', 1_018, 1_004],
    ['of the slot before', 1_011, 1_010],
  ])('is repeated for another late slot %s', async (_, first, second) => {
    const slots = chain(22, { stepMs: 300_000 });
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    const known = without(slots, second);
    await ingestion.ingest(itemSource(lateItems(known, first), false), EAGER);
    expect(store.visibleRows()).toEqual((await calm(known)).rows);
    const late = slots.filter(({ slot }) => slot === second).map(item);
    await ingestion.ingest(itemSource(late, true), EAGER);
    const expected = await calm(slots);
    expect(ingestion.engine.digest()).toBe(expected.digest);
    expect(store.visibleRows()).toEqual(expected.rows);
    expect(ingestion.status.refolds).toBe(2);
    store.close();
  });

  test('restores rows that only dropped slots had changed, and removes those that only they had', async () => {
    const slots = chain(22, { other: [1_003, 1_015] });
    const store = new MemoryStore();
    const opened = store.open();
    const ingestion = await open(opened);
    const dropped: SourceItem = { kind: 'dropped', from: asSlot(1_015), to: asSlot(1_015) };
    const items = [...slots.map(item), final(1_021), dropped];
    await ingestion.ingest(itemSource(items, false), EAGER);
    await expectCalm(ingestion, store, without(slots, 1_015));
  });

  test('is repeated for a slot that comes late while it runs', async () => {
    const slots = chain(24);
    const store = new MemoryStore();
    const opened = store.open();
    const restore = restoring(opened);
    const [begun, added] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ingestion = await open(opened, async (slot) => {
      begun.resolve();
      await added.promise;
      return restore(slot);
    });
    const known = without(slots, 1_008);
    async function* follow(): AsyncGenerator<SourceItem> {
      yield* lateItems(known, 1_016);
      // Any further item lets the refold begin.
      yield final(1_023);
      await begun.promise;
      yield* slots.filter(({ slot }) => slot === 1_008).map(item);
      added.resolve();
    }
    await ingestion.ingest(itemSource(follow(), false), EAGER);
    expect(ingestion.status.refolds).toBe(2);
    await expectCalm(ingestion, store, slots);
  });

  test.each([
    ['a slot that comes', [1_008]],
    ['two slots that come', [1_012, 1_008]],
  ])('is repeated for %s late while its layers are merged', async (_, late) => {
    const slots = chain(24);
    const store = new MemoryStore();
    const opened = store.open();
    const [begun, added] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { merge } = opened.layers;
    opened.layers.merge = async (pair) => {
      begun.resolve();
      await added.promise;
      await merge(pair);
    };
    const ingestion = await open(opened);
    async function* follow(): AsyncGenerator<SourceItem> {
      yield* lateItems(without(slots, ...late), 1_016);
      yield final(1_023);
      await begun.promise;
      for (const each of late) yield* slots.filter(({ slot }) => slot === each).map(item);
      added.resolve();
    }
    await ingestion.ingest(itemSource(follow(), false), EAGER);
    expect(ingestion.status.refolds).toBe(2);
    await expectCalm(ingestion, store, slots);
  });

  test('begins when no checkpoint is being committed, which would remove the one that it needs', async () => {
    const slots = chain(24);
    const store = new MemoryStore();
    const opened = store.open();
    const committed = Promise.withResolvers<void>();
    const asked: number[] = [];
    let whileCommitting = -1;
    const checkpoints = {
      ...{ retained: [], status: null, engineFailure: null },
      ...{ step: async () => undefined, complete: async () => undefined, abort: () => undefined },
      settled: () => committed.promise,
    };
    const states: FoldStates = {
      ...unstoredStates(newEngine, restoring(opened, asked)),
      checkpointsOf: () => checkpoints as unknown as StateCheckpoints,
    };
    const parts = { createEngine: newEngine, states, rules: 'rules', nowMs: () => 77 };
    const ingestion = await Ingestion.open({ store: opened, ...parts });
    async function* follow(): AsyncGenerator<SourceItem> {
      yield* lateItems(slots, 1_016);
      yield final(1_023);
      await new Promise((resolve) => setTimeout(resolve, 50));
      whileCommitting = asked.length;
      committed.resolve();
    }
    await ingestion.ingest(itemSource(follow(), false), EAGER);
    expect([whileCommitting, asked]).toEqual([0, [1_015]]);
    store.close();
  });

  test.each([
    ['a part', (slot: Slot) => slot],
    ['everything', () => null],
  ])(
    'of %s waits for a device, and clients hear of it before old states are removed',
    async (_, start) => {
      const slots = chain(24);
      const store = new MemoryStore();
      const opened = store.open();
      const restore = restoring(opened);
      const events: string[] = [];
      const records = { unwrittenBytes: 2 ** 27, settle: vi.fn() };
      let live: Engine | null = null;
      const states: FoldStates = {
        ...unstoredStates(newEngine, async (slot) => (start(slot) === null ? null : restore(slot))),
        recordsOf: (engine) => (engine === live ? null : records),
        retain: (fold) => events.push(`retain ${fold}`),
      };
      const parts = { createEngine: newEngine, states, rules: 'rules', nowMs: () => 77 };
      const ingestion = await Ingestion.open({ store: opened, ...parts });
      live = ingestion.engine;
      ingestion.listen({
        onApplied: () => undefined,
        onReverted: () => undefined,
        onReplaced: () => events.push(`replaced after ${records.settle.mock.calls.length}`),
        onStep: () => undefined,
      });
      events.length = 0;
      await ingestion.ingest(itemSource(lateItems(slots, 1_016), false), EAGER);
      const waited = start(asSlot(0)) === null ? 24 : 8;
      expect(events).toEqual([`replaced after ${waited}`, 'retain 2']);
      await expectCalm(ingestion, store, slots);
    },
  );

  test('of everything leaves no row of the replaced fold when it is killed once it took over', async () => {
    const slots = chain(12);
    const folded = async (store: MemoryStore) => {
      const ingestion = await open(store.open(), async () => null);
      await ingestion.ingest(itemSource(lateItems(slots, 1_005), false), EAGER);
    };
    const whole = new MemoryStore();
    await folded(whole);
    expect([...whole.rowsByLayer().keys()]).toEqual([2]);
    const killed = new MemoryStore();
    const opened = killed.open();
    opened.layers.retain = async (layer) => {
      if (layer !== 1) throw new Killed('killed before a removal');
    };
    const doomed = await open(opened, async () => null);
    const items = itemSource(lateItems(slots, 1_005), false);
    await expect(doomed.ingest(items, EAGER)).rejects.toThrow(Killed);
    expect(killed.rowsByLayer().size).toBe(2);
    await open(killed.open());
    expect(killed.rowsByLayer()).toEqual(whole.rowsByLayer());
    expect(killed.visibleRows()).toEqual(whole.visibleRows());
    whole.close();
    killed.close();
  });

  test('goes on with the branch that stayed when the tail forks while it runs', async () => {
    const slots = chain(24);
    const [stays, last] = [slots.slice(0, 21), slots.slice(21)];
    const fork = last.map((facts) => ({ ...facts, blockhash: `fork ${facts.slot}` }));
    const end = stays.at(-1);
    const store = new MemoryStore();
    const opened = store.open();
    const restore = restoring(opened);
    const [begun, forked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ingestion = await open(opened, async (slot) => {
      begun.resolve();
      await forked.promise;
      return restore(slot);
    });
    async function* follow(): AsyncGenerator<SourceItem> {
      yield* lateItems(stays, 1_016);
      yield* fork.map(item);
      await begun.promise;
      yield { kind: 'undo', toSlot: asSlot(1_020), toBlockhash: String(end?.blockhash) };
      yield* last.map(item);
      forked.resolve();
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield final(1_023);
    }
    await ingestion.ingest(itemSource(follow(), false), EAGER);
    await expectCalm(ingestion, store, slots);
  });

  test('is completed by the next start after a kill before any of its writes', async () => {
    const slots = chain(18, { other: [1_003, 1_012] });
    const dropped: SourceItem = { kind: 'dropped', from: asSlot(1_012), to: asSlot(1_012) };
    const items = [...lateItems(slots, 1_009), dropped];
    const expected = await calm(without(slots, 1_012));
    const whole = new MemoryStore();
    await (await open(whole.open())).ingest(itemSource(items, false), EAGER);
    expect(whole.visibleRows()).toEqual(expected.rows);
    expect(whole.steps).toBeGreaterThan(100);
    for (let killedBefore = 0; killedBefore < whole.steps; killedBefore++) {
      const store = new MemoryStore();
      const doomed = store.open();
      store.stepsLeft = killedBefore;
      const life = async () => {
        await (await open(doomed)).ingest(itemSource(items, false), EAGER);
      };
      await expect(life()).rejects.toThrow('killed before a write');
      const ingestion = await open(store.open());
      // What the kill lost is read again; what it left is complete.
      await ingestion.ingest(itemSource(slots.map(item), true), EAGER);
      await ingestion.ingest(itemSource([dropped], true), EAGER);
      expect(store.visibleRows(), `killed before write ${killedBefore}`).toEqual(expected.rows);
      expect(ingestion.engine.digest()).toBe(expected.digest);
      store.close();
    }
    whole.close();
  });

  test('leaves the state and rows of the final branch after any history of late slots', async () => {
    await fc.assert(
      fc.asyncProperty(chainScripts, fc.nat(4), async (script, back) => {
        const store = new MemoryStore();
        const opened = store.open();
        const restore = restoring(opened);
        // The newest state may be some slots older than the change.
        const ingestion = await open(opened, (slot) => restore(asSlot(Math.max(0, slot - back))));
        const last = script.branch.at(-1)?.slot;
        const items = last === undefined ? script.items : [...script.items, final(last)];
        await ingestion.ingest(itemSource(items, false), EAGER);
        const expected = await calm(script.branch);
        expect(ingestion.engine.digest()).toBe(expected.digest);
        expect(store.visibleRows()).toEqual(expected.rows);
        store.close();
      }),
      { numRuns: 60 },
    );
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import { Engine } from '../engine/engine.ts';
import { StoreError } from '../model/errors.ts';
import { StateFolders } from '../store/checkpoints/state-folders.ts';
import type { Cursor } from '../store/control/cursor.ts';
import { EngineStates } from './engine-states.ts';
import { Fold } from './fold.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { Refold } from './refold.ts';
import { WriteRecovery } from './write-recovery.ts';

/** Rows of so many slots are one portion. */
const PORTION = 500;

/** A refold of 1,200 slots without transactions, over a store that the test lets proceed. */
function stage() {
  const removal = Promise.withResolvers<void>();
  const writes: PromiseWithResolvers<void>[] = [];
  const store = {
    epochs: { prepare: () => removal.promise },
    log: {
      async *read() {
        for (let slot = 1; slot <= 1_200; slot++) yield slotFacts(slot, null, []);
      },
    },
    writer: {
      writeBatch: () => {
        const write = Promise.withResolvers<void>();
        writes.push(write);
        return write.promise;
      },
    },
    cursor: { read: () => ({}) as Cursor, write: () => undefined },
  } as unknown as IngestionStore;
  const fold = new Fold(new Engine({ fallbackSolUsd }), 2, () => 0);
  const recovery = new WriteRecovery(
    () => 0,
    () => undefined,
  );
  const records = { unwrittenBytes: 0, settle: vi.fn() };
  const refold = new Refold(
    { store, recovery, checkpoints: null, records, lateSlots: { removed: [] } },
    { fold, olderSlots: 0 },
  );
  return { refold, fold, removal, writes, records, steps: refold.run() };
}

type Stage = ReturnType<typeof stage>;

async function advance({ steps }: Stage, slots: number): Promise<void> {
  for (let slot = 0; slot < slots; slot++) await steps.next();
}

/** Whether a promise has settled after some turns of the event loop. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const note = () => {
    isSettled = true;
  };
  promise.then(note, note);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  return isSettled;
}

describe('folding the log again', () => {
  test('folds one portion while rows of abandoned folds are removed, and writes none before', async () => {
    const refolding = stage();
    const { removal, writes, steps, fold } = refolding;
    await advance(refolding, PORTION);
    expect(fold.end?.slot).toBe(PORTION);
    const waiting = steps.next();
    expect(await hasSettled(waiting)).toBe(false);
    expect(writes).toHaveLength(0);
    removal.resolve();
    expect(await hasSettled(removal.promise)).toBe(true);
    expect(writes).toHaveLength(1);
    writes[0]?.resolve();
    expect((await waiting).value).toMatchObject({ slot: PORTION + 1 });
  });

  test('goes on while one portion of rows is written, and waits before the next', async () => {
    const refolding = stage();
    const { removal, writes, steps } = refolding;
    removal.resolve();
    await advance(refolding, 2 * PORTION - 1);
    expect(writes).toHaveLength(1);
    const waiting = steps.next();
    expect(await hasSettled(waiting)).toBe(false);
    writes[0]?.resolve();
    expect((await waiting).value).toMatchObject({ slot: 2 * PORTION });
    expect(await hasSettled(Promise.resolve())).toBe(true);
    expect(writes).toHaveLength(2);
  });

  test('ends with the error of the removal, or of a write, before anything else is written', async () => {
    const failed = new Error('the store is gone');
    const unprepared = stage();
    unprepared.removal.reject(failed);
    await expect(unprepared.refold.catchUp()).rejects.toBe(failed);
    expect(unprepared.writes).toHaveLength(0);

    const unwritten = stage();
    unwritten.removal.resolve();
    await advance(unwritten, PORTION + 1);
    unwritten.writes[0]?.reject(failed);
    await expect(advance(unwritten, PORTION)).rejects.toBe(failed);
    expect(unwritten.writes).toHaveLength(1);
  });

  test('waits while more than 64 MiB of its state could not be written, and for no less', async () => {
    const refolding = stage();
    const { records, removal } = refolding;
    removal.resolve();
    records.unwrittenBytes = 64 * 1_024 * 1_024;
    await advance(refolding, 1);
    expect(records.settle).not.toHaveBeenCalled();
    records.unwrittenBytes++;
    await advance(refolding, 1);
    expect(records.settle).toHaveBeenCalledTimes(1);
    records.settle.mockImplementation(() => {
      throw new StoreError('the device is full', { isTransient: true });
    });
    await expect(advance(refolding, 1)).rejects.toThrow('the device is full');
  });

  test('is left only when nothing is being written', async () => {
    const refolding = stage();
    refolding.removal.resolve();
    await advance(refolding, PORTION + 1);
    const left = refolding.steps.return(undefined);
    expect(await hasSettled(left)).toBe(false);
    refolding.writes[0]?.resolve();
    await left;
    expect(refolding.writes).toHaveLength(1);
  });

  test('stores its state before the new fold takes over', async () => {
    const facts = marketFacts(300);
    const last = facts.at(-1)?.slot ?? null;
    const calm = new Engine({ fallbackSolUsd });
    const changes = facts.map((each) => calm.apply(each));
    const rows = new MemoryStore();
    const path = mkdtempSync(join(tmpdir(), 'refold-'));
    try {
      const store = rows.open();
      await store.writer.writeBatch({ epoch: 1, slots: facts, changes });
      const { log } = store;
      const settings = { rules: 'rules', engine: { fallbackSolUsd }, memory: { pagesMax: 20 } };
      const states = () => new EngineStates({ ...settings, log, folders: new StateFolders(path) });
      const refolding = states();
      const engine = refolding.create(2);
      const checkpoints = refolding.checkpointsOf(engine, (sentence) => expect.fail(sentence));
      const recovery = new WriteRecovery(
        () => 0,
        () => undefined,
      );
      const fold = new Fold(engine, 2, () => 0);
      const refold = new Refold(
        {
          ...{ store, recovery, checkpoints, lateSlots: { removed: [] } },
          records: refolding.recordsOf(engine),
        },
        { fold, olderSlots: 0 },
      );
      for await (const _ of refold.run());
      expect(checkpoints?.retained.length).toBeGreaterThan(1);
      // The process is killed as soon as the cursor names the new fold.
      const restored = await states().restore({ epoch: 2, slot: last }, () => undefined);
      expect(restored?.end.slot).toBe(last);
      expect(restored?.engine.digest()).toBe(calm.digest());
      restored?.engine.close();
      engine.close();
    } finally {
      rows.close();
      rmSync(path, { recursive: true });
    }
  });
});

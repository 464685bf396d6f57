import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotFacts, swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { fallbackSolUsd, launch, SOL, TOKEN } from '../../tests/support/master-fixture.ts';
import { StoreError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { StateFolders } from '../store/checkpoints/state-folders.ts';
import type { CheckpointPace } from './checkpoint-pace.ts';
import { EngineStates } from './engine-states.ts';
import { Fold } from './fold.ts';

const START_MS = Date.UTC(2026, 0, 1);
let path: string;

beforeEach(() => {
  path = temporaryFolder();
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

function slotAt(slot: number): SlotFacts {
  const buy = {
    trader: address(`${slot % 7}`),
    side: 'buy',
    baseRaw: TOKEN,
    quoteRaw: SOL,
  } as const;
  const trade = transactionFacts({ txIndex: 0, events: [swapEvent(buy)] });
  return slotFacts(slot, START_MS + slot * 400, [slot === 0 ? launch() : trade]);
}

/** A fold whose state is stored, and a step as after each slot. */
function storedFold(isFailing = () => false, pace: Partial<CheckpointPace> = {}) {
  const guard = async () => {
    if (isFailing()) throw new StoreError('no space');
  };
  const states = new EngineStates({
    folders: new StateFolders(path, guard),
    log: { find: async () => null },
    rules: 'rules',
    engine: { fallbackSolUsd },
    memory: { pagesMax: 100, objectBytesMax: 50_000 },
    pace,
  });
  const fold = new Fold(states.create(1), 1, () => 0);
  const problems: string[] = [];
  const checkpoints = states.checkpointsOf(fold.engine, (sentence) => problems.push(sentence));
  if (checkpoints === null) throw new Error('the state is not stored');
  const step = async () => {
    const cursor = { epoch: 1, slot: fold.end?.slot ?? null, isDirty: false };
    await checkpoints.step({ fold, cursor, olderSlots: 0 });
    await checkpoints.settled();
  };
  const foldSlots = async (from: number, to: number) => {
    for (let slot = from; slot <= to; slot++) {
      await fold.addWritten(slotAt(slot));
      await step();
    }
  };
  return { fold, checkpoints, problems, foldSlots, step };
}

describe('checkpoints of a fold', () => {
  test('are of slots that pass a multiple of 120, so that services have the same ones', async () => {
    const { fold, checkpoints, foldSlots } = storedFold();
    await foldSlots(0, 475);
    expect(fold.digests.newestFirst.map(({ slot }) => slot)).toEqual([360, 240, 120]);
    expect(checkpoints.status.checkpoints).toMatchObject({
      newest: { slot: 360, timeMs: START_MS + 360 * 400 },
      failures: 0,
    });
    fold.engine.close();
  });

  test('are not made for every slot where slot numbers are far apart', async () => {
    const { fold, checkpoints, step } = storedFold();
    for (let index = 0; index < 20; index++) {
      await fold.addWritten({ ...slotAt(index), slot: asSlot(index * 1_000) });
      await step();
    }
    expect(checkpoints.status.checkpoints).toMatchObject({ newest: null, count: 0 });
    fold.engine.close();
  });

  test.each([
    [5, { slot: 50 }],
    [1_000, null],
  ])('are written within %i slots, however much has changed', async (writingSlots, newest) => {
    const least = { writtenPerSlot: 1, writtenAtOnce: 1 };
    const pace = { everySlots: 50, slotsBetweenMin: 25, ...least, writingSlots };
    const { fold, checkpoints, foldSlots } = storedFold(undefined, pace);
    await foldSlots(0, 57);
    expect(checkpoints.status.checkpoints).toMatchObject({ newest });
    fold.engine.close();
  });

  test('report memory in use, its bounds, and what moved', async () => {
    const { fold, checkpoints, foldSlots } = storedFold();
    await foldSlots(0, 320);
    const { memory, checkpoints: stored } = checkpoints.status;
    expect(memory).toMatchObject({ pageBytesMax: 100 * 1_024, objectBytesMax: 50_000 });
    expect(memory.pageBytes).toBeLessThanOrEqual(memory.pageBytesMax);
    expect(memory.evictedPages).toBeGreaterThan(0);
    expect(memory.loadedPages).toBeGreaterThan(0);
    expect(stored.count).toBe(2);
    expect(stored.fileBytes).toBeGreaterThan(0);
    expect(stored.durationMs).toBeGreaterThan(0);
    fold.engine.close();
  });

  test('that fail are counted, reported once, and cost nothing else', async () => {
    let isFailing = true;
    const { fold, checkpoints, problems, foldSlots } = storedFold(() => isFailing);
    await foldSlots(0, 310);
    expect(checkpoints.status.checkpoints).toMatchObject({ newest: null, failures: 2 });
    expect(problems).toHaveLength(1);
    isFailing = false;
    await foldSlots(311, 460);
    expect(checkpoints.status.checkpoints).toMatchObject({ newest: { slot: 360 }, failures: 2 });
    fold.engine.close();
  });
});

describe('the digest of a fold', () => {
  test('is that of the newest slot, and computed once for it', async () => {
    const { fold, foldSlots } = storedFold();
    expect(fold.digest()).toBeNull();
    await foldSlots(0, 9);
    const digest = fold.digest();
    expect(digest).toMatchObject({ slot: 9, digest: fold.engine.digest() });
    expect(digest?.parts).toEqual(fold.engine.parts());
    expect(fold.digest()).toBe(digest);
    await foldSlots(10, 10);
    expect(fold.digest()?.digest).not.toBe(digest?.digest);
    fold.engine.close();
  });

  test('is gone with a slot that is reverted', async () => {
    const { fold, foldSlots } = storedFold();
    await foldSlots(0, 9);
    const before = fold.digest();
    await fold.addTail(slotAt(10));
    const reverted = fold.digest();
    await fold.revert();
    expect(fold.digest()).toBe(before);
    await fold.addTail({ ...slotAt(10), transactions: [] });
    expect(fold.digest()?.digest).not.toBe(reverted?.digest);
    expect(fold.digests.newestFirst.map(({ slot }) => slot)).toEqual([10, 9]);
    fold.engine.close();
  });
});

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { slotFacts, swapEvent, transactionFacts } from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { temporaryFolder } from '../../tests/support/command-line.ts';
import { deviceError, interceptFiles } from '../../tests/support/file-operations.ts';
import { fallbackSolUsd, launch, SOL, TOKEN } from '../../tests/support/master-fixture.ts';
import { StoreError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { FileRecordStore } from '../store/checkpoints/file-record-store.ts';
import type { RecordStoreSizes } from '../store/checkpoints/open-records.ts';
import { StateFolders } from '../store/checkpoints/state-folders.ts';
import type { CheckpointPace } from './checkpoint-pace.ts';
import { EngineStates } from './engine-states.ts';
import { Fold } from './fold.ts';

const START_MS = Date.UTC(2026, 0, 1);
let path: string;
let endFault: () => void = () => undefined;

beforeEach(() => {
  path = temporaryFolder();
});

afterEach(() => {
  endFault();
  Error.stackTraceLimit = 10;
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
function storedFold(
  isFailing = () => false,
  pace: Partial<CheckpointPace> = {},
  sizes: Partial<RecordStoreSizes> = {},
) {
  const guard = async () => {
    if (isFailing()) throw new StoreError('no space');
  };
  const states = new EngineStates({
    folders: new StateFolders(path, guard, sizes),
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

  test('have digests that stay while one is taken after every slot', async () => {
    const { fold, foldSlots } = storedFold();
    for (let slot = 0; slot <= 475; slot++) {
      await foldSlots(slot, slot);
      fold.digest();
    }
    const slots = fold.digests.newestFirst.map(({ slot }) => slot as number);
    expect(slots.slice(0, 2)).toEqual([475, 474]);
    expect(slots.filter((slot) => slot % 120 === 0)).toEqual([360, 240, 120]);
    expect(new Set(slots).size).toBe(slots.length);
    fold.engine.close();
  });

  test('take the digest over where it was taken before they begin', async () => {
    const { fold, foldSlots, step } = storedFold();
    await foldSlots(0, 119);
    await fold.addWritten(slotAt(120));
    const digest = fold.digest();
    await step();
    for (let slot = 121; slot <= 230; slot++) {
      await foldSlots(slot, slot);
      fold.digest();
    }
    expect(fold.digests.newestFirst.at(-1)).toBe(digest);
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

  test('report that the next is written while its slot is not final', async () => {
    const { fold, checkpoints, foldSlots, step } = storedFold();
    await foldSlots(0, 119);
    for (let slot = 120; slot <= 140; slot++) {
      await fold.addTail(slotAt(slot));
      await step();
    }
    const written = { newest: null, isNextWritten: true };
    expect(checkpoints.status.checkpoints).toMatchObject(written);
    fold.finalise(asSlot(119));
    await step();
    expect(checkpoints.status.checkpoints).toMatchObject(written);
    fold.finalise(asSlot(120));
    await step();
    const committed = { newest: { slot: 120 }, isNextWritten: false };
    expect(checkpoints.status.checkpoints).toMatchObject(committed);
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
    expect(memory.indexBytes).toBeGreaterThan(0);
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

  test('are made while an old file cannot be read to be emptied, which is reported once', async () => {
    let unreadable: string | null = null;
    let failedReads = 0;
    const emptied = new Set<string>();
    Error.stackTraceLimit = 20;
    endFault = interceptFiles(path, ({ kind, path: file }) => {
      // A sector in which nothing is in use: only who reads the whole file meets it.
      if (kind !== 'read' || !(new Error('here').stack ?? '').includes('Compaction')) return;
      unreadable ??= file;
      if (file !== unreadable) emptied.add(file);
      else {
        failedReads++;
        throw deviceError('EIO');
      }
    });
    const sizes = { segmentBytes: 16_384, bufferBytes: 4_096 };
    const { fold, checkpoints, problems, foldSlots } = storedFold(undefined, {}, sizes);
    await foldSlots(0, 1_000);
    expect(failedReads).toBeGreaterThan(0);
    expect(emptied.size).toBeGreaterThan(0);
    expect(checkpoints.status.checkpoints).toMatchObject({ newest: { slot: 960 }, failures: 0 });
    expect(problems).toEqual([expect.stringMatching(/^An old file of the state .*EIO/)]);
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

test('a checkpoint counts although the size of its files cannot be read', async () => {
  const { foldSlots, checkpoints, problems } = storedFold();
  const sizes = vi.spyOn(FileRecordStore.prototype, 'sizes').mockImplementation(() => {
    throw deviceError('EMFILE');
  });
  await foldSlots(0, 300);
  expect(sizes).toHaveBeenCalled();
  expect(checkpoints.status.checkpoints).toMatchObject({
    failures: 0,
    newest: { slot: expect.any(Number) },
  });
  expect(problems).toEqual([]);
  vi.restoreAllMocks();
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreError } from '../model/errors.ts';
import { type EngineSnapshots, SNAPSHOT_EVERY_SLOTS } from './engine-snapshots.ts';
import type { Fold } from './fold.ts';
import { FoldSnapshots } from './fold-snapshots.ts';

/** Snapshots of a fold that is due, on a device that refuses as configured. */
function refusedBy(error: () => StoreError | null) {
  const said: string[] = [];
  const save = async () => {
    const refusal = error();
    if (refusal !== null) throw refusal;
  };
  const counters = { slots: SNAPSHOT_EVERY_SLOTS, events: { swap: 0 } };
  const engine = { counters, lastSlot: SNAPSHOT_EVERY_SLOTS };
  const fold = { engine, epoch: 1, unwritten: [], tailSlots: [] } as unknown as Fold;
  const snapshots = new FoldSnapshots({ save } as unknown as EngineSnapshots);
  const hooks = { onSnapshotProblem: (sentence: string) => said.push(sentence) };
  return { snapshots, fold, said, save: () => snapshots.save(fold, 0, hooks) };
}

describe('a snapshot that the device refuses', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('is retried within seconds rather than after the usual number of slots, and reported once', async () => {
    let refusal: StoreError | null = new StoreError('No space left.', { isTransient: true });
    const { snapshots, fold, said, save } = refusedBy(() => refusal);
    expect(snapshots.isDue(fold)).toBe(true);
    for (let tries = 0; tries < 3; tries++) {
      await save();
      expect(snapshots.isDue(fold)).toBe(false);
      vi.advanceTimersByTime(5_000);
      expect(snapshots.isDue(fold)).toBe(true);
    }
    refusal = null;
    await save();
    vi.advanceTimersByTime(60_000);
    expect(snapshots.isDue(fold)).toBe(false);
    expect(said).toEqual([
      `The state after slot ${SNAPSHOT_EVERY_SLOTS} is not kept: No space left.`,
    ]);
  });

  test('permanently is retried after the usual number of slots', async () => {
    const { snapshots, fold, save } = refusedBy(() => new StoreError('Another process writes.'));
    await save();
    vi.advanceTimersByTime(60_000);
    expect(snapshots.isDue(fold)).toBe(false);
  });
});

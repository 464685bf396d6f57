import { describe, expect, test } from 'vitest';
import { fakePool, OTHER_POOL, POOL } from '../../../../tests/support/fake-api-deps.ts';
import type { SlotFrame } from '../../../model/slot-frame.ts';
import { asSlot } from '../../../model/units.ts';
import { StreamLog } from './stream-log.ts';

const SUBJECT = `pool pool ${POOL}`;

function logging(weightMax = 1_000_000) {
  let nowMs = 1;
  const log = new StreamLog({
    keptMs: 1_000,
    weightMax,
    nowMs: () => nowMs,
    isKept: (subject) => subject === SUBJECT,
  });
  const add = (slot: number, isUndone = false, swapCount = 0) =>
    log.add(frame(slot, isUndone, swapCount));
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const seqsAfter = (position: number, limit = 100) =>
    log.after([SUBJECT], position, limit).entries.map(({ seq }) => seq);
  return { log, add, pass, seqsAfter };
}

function frame(slot: number, isUndone: boolean, swapCount: number): SlotFrame {
  const pools = [fakePool({ swapCount }), fakePool({ pool: OTHER_POOL })];
  return {
    ...{ slot: asSlot(slot), timeMs: null, solUsd: null, finalSlot: null, isUndone },
    items: pools.map((pool) => ({ topic: 'pool', pool })),
  };
}

describe('the log of the stream', () => {
  test('numbers all messages, and returns those of a subject after a position', () => {
    const { log, add, seqsAfter } = logging();
    expect(log.newest).toBe(1_000);
    for (const slot of [2, 3, 4]) add(slot);
    expect(seqsAfter(1_000)).toEqual([1_001, 1_003, 1_005]);
    expect(seqsAfter(1_002)).toEqual([1_003, 1_005]);
    expect(seqsAfter(1_001, 1)).toEqual([1_003]);
    expect(seqsAfter(1_006)).toEqual([]);
  });

  test('shares the data of a message with the one that takes it back', () => {
    const { add } = logging();
    const [first, second] = add(2, false, 5);
    const [undone, undoneFirst] = add(2, true, 6);
    expect(undone).toMatchObject({ seq: 1_003, isUndo: true });
    expect(undone?.data).toBe(second?.data);
    expect(undoneFirst?.data).toBe(first?.data);
  });

  test('takes back the newest block of a slot, and each block only once', () => {
    const { add } = logging();
    add(1);
    add(2, false, 5);
    add(3);
    add(3, true);
    add(2, true);
    const [again] = add(2, false, 7);
    const undone = add(2, true, 8);
    expect(undone[1]?.data).toBe(again?.data);
    // Nothing is known to have been sent any more: the data of the frame are used.
    const unknown = add(2, true, 9);
    expect(unknown[1]?.data.item).toMatchObject({ pool: { swapCount: 9 } });
  });

  test('drops messages after a time or beyond a weight, and says which are missing', () => {
    const { log, add, pass, seqsAfter } = logging();
    add(2);
    pass(1_001);
    add(3);
    expect(log.size).toBe(2);
    expect(log.after([SUBJECT], 1_000, 9).gap).toEqual({ from: 1_001, to: 1_002 });
    expect(seqsAfter(1_000)).toEqual([1_003]);
    expect(log.after([SUBJECT], 1_002, 9).gap).toBeNull();
    const heavy = logging(5_000);
    for (const slot of [2, 3, 4, 5]) heavy.add(slot);
    expect(heavy.log.size).toBe(4);
    expect(heavy.log.after([SUBJECT], 1_000, 9)).toMatchObject({ gap: { from: 1_001, to: 1_004 } });
  });

  test('has a gap where frames were missed, and where a position is ahead of it', () => {
    const { log, add, seqsAfter } = logging();
    add(2);
    expect(log.skip()).toEqual({ from: 1_003, to: 1_003 });
    add(3);
    expect(log.after([SUBJECT], 1_001, 9).gap).toEqual({ from: 1_002, to: 1_003 });
    expect(seqsAfter(1_001)).toEqual([1_004]);
    expect(log.after([SUBJECT], 9_999, 9)).toEqual({
      gap: { from: 1_006, to: 9_999 },
      entries: [],
    });
  });

  test('keeps nothing by subject that nobody may request, and forgets what is given up', () => {
    const { log, add, seqsAfter } = logging();
    add(2);
    expect(log.after([`pool pool ${OTHER_POOL}`], 1_000, 9).entries).toEqual([]);
    log.forget(SUBJECT);
    expect(seqsAfter(1_000)).toEqual([]);
  });
});

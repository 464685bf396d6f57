import { expect, test } from 'vitest';
import { SlotTimes, waitingOf } from './slot-times.ts';

const time = (ms: number, processorMs = ms) => ({ ms, processorMs });

test('the cost of checkpoints is their processor time over that of slots, and over the time of the chain', () => {
  const times = new SlotTimes();
  expect(times.costAt(200)).toBeNull();
  // 100 slots: in 20 of them a checkpoint is written, which takes 10 ms after and 2 ms within each.
  for (let slot = 0; slot < 100; slot++) {
    const isWriting = slot < 20;
    const apply = time(isWriting ? 62 + slot : 60 + slot, isWriting ? 52 : 50);
    times.add({ isWriting, apply, checkpoint: time(isWriting ? 25 : 1, isWriting ? 10 : 0) });
  }
  const cost = times.costAt(200);
  expect(cost?.shareOfFold).toBeCloseTo(200 / (20 * 52 + 80 * 50), 12);
  expect(cost?.shareOfCore).toBeCloseTo(200 / 20_000, 12);
  expect(cost?.shareOfCoreWithSlowerSlots).toBeCloseTo(240 / 20_000, 12);
  // Of 62 to 81 ms the 20th, of 80 to 159 the 80th: 99 % of so few are all of them.
  expect(cost?.writing).toEqual({
    slots: 20,
    p50Ms: 71,
    p99Ms: 81,
    longestMs: 81,
    meanProcessorMs: 52,
    p99ProcessorMs: 52,
    checkpointP99Ms: 25,
    checkpointLongestMs: 25,
    checkpointLongestProcessorMs: 10,
  });
  expect(cost?.idle).toMatchObject({ slots: 80, p50Ms: 119, p99Ms: 159, longestMs: 159 });
  expect(cost?.waiting).toEqual({ slots: 0, longestMs: 0 });
});

test('a slot waits for those before it, as long as they take more than the time between two', () => {
  // Busy until 250, 350 (waited 50), 480 (waited none), 480 + 0.
  expect(waitingOf([250, 100, 80, 0, 10], 200)).toEqual({ slots: 1, longestMs: 50 });
  // Comes at 100, 200, 300; free at 300, 320, 340: waits 200, 120, 40.
  expect(waitingOf([300, 20, 20, 20], 100)).toEqual({ slots: 3, longestMs: 200 });
  expect(waitingOf([], 100)).toEqual({ slots: 0, longestMs: 0 });
});

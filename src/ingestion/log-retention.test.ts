import { describe, expect, test } from 'vitest';
import { asSlot, type Slot } from '../model/units.ts';
import { LogRetention, logLengthMaxMs, type RetainedLog } from './log-retention.ts';

describe('what is due in a log', () => {
  /** A log of a slot a minute, of which `start` is the first; a checkpoint every half hour. */
  function retentionOf(minutes: number, retentionMs: number | null, nowMs?: () => number) {
    const MINUTE_MS = 60_000;
    const dropped: number[] = [];
    const state: { start: Slot | null; reads: number } = { start: null, reads: 0 };
    const store: RetainedLog = {
      log: {
        read: () => {
          throw new Error('the log is not read');
        },
        find: async () => null,
        firstTimed: async (from) => {
          state.reads++;
          const slot = Math.max(from, state.start ?? 0);
          return slot > minutes ? null : { slot, timeMs: slot * MINUTE_MS };
        },
      },
      logStart: {
        get slot() {
          return state.start;
        },
        advance: async (slot) => {
          state.start = slot;
        },
      },
      removal: {
        remove: async () => undefined,
        removeBefore: async (slot) => {
          dropped.push(slot);
        },
      },
    };
    const retention = new LogRetention(store, retentionMs, nowMs);
    const at = (minute: number) => ({ slot: asSlot(minute), timeMs: minute * MINUTE_MS });
    const retained = [0, 30, 60, 120].map((ago) => at(minutes - ago));
    const cursor = { epoch: 1, slot: asSlot(minutes), isDirty: false };
    return { retention, dropped, state, step: { cursor, retained } };
  }

  const HOURS_10 = 10 * 60 * 60_000;

  test('are the slots before the retention, once they are an eighth of it', async () => {
    const early = retentionOf(675 - 1, HOURS_10);
    await early.retention.step(early.step);
    expect(early.dropped).toEqual([]);
    const due = retentionOf(675, HOURS_10);
    await due.retention.step(due.step);
    expect([due.state.start, due.dropped]).toEqual([75, [75]]);
  });

  test('are none from the oldest checkpoint on', async () => {
    const { retention, dropped, step } = retentionOf(675, 60_000);
    await retention.step(step);
    expect(dropped).toEqual([675 - 120]);
  });

  test('are none while figures are not stored up to the checkpoint, or a refold is pending', async () => {
    const { retention, dropped, step } = retentionOf(675, HOURS_10);
    const { cursor, retained } = step;
    const folds = [
      { epoch: 1, afterSlot: null },
      { epoch: 2, afterSlot: asSlot(600) },
    ];
    const unsettled = [
      { ...cursor, isDirty: true },
      { ...cursor, slot: null },
      { ...cursor, slot: asSlot(674) },
      { ...cursor, layers: { top: 2, base: 1, folds } },
    ];
    for (const each of unsettled) await retention.step({ cursor: each, retained });
    expect(dropped).toEqual([]);
    await retention.step(step);
    expect(dropped).toEqual([75]);
  });

  test('are none for a block whose time is in the future', async () => {
    const minuteMs = 60_000;
    const clock = () => 600 * minuteMs;
    const { retention, dropped, step } = retentionOf(600, HOURS_10, clock);
    const [newest, ...older] = step.retained;
    const ahead = { slot: asSlot(600), timeMs: (newest?.timeMs ?? 0) + 365 * 24 * 60 * minuteMs };
    await retention.step({ ...step, retained: [ahead, ...older] });
    expect(dropped).toEqual([]);
  });

  test('are none while no checkpoint is an hour old, or there is none', async () => {
    const { retention, dropped, step } = retentionOf(675, HOURS_10);
    await retention.step({ ...step, retained: step.retained.slice(0, 2) });
    await retention.step({ ...step, retained: [] });
    expect(dropped).toEqual([]);
  });

  test('is not searched for again before it can be more', async () => {
    const { retention, state, step } = retentionOf(675, HOURS_10);
    await retention.step(step);
    const { reads } = state;
    const later = step.retained.map(({ slot, timeMs }) => ({ slot, timeMs: timeMs + 74 * 60_000 }));
    await retention.step({ ...step, retained: later });
    expect(state.reads).toBe(reads);
  });

  test('is completed where an earlier process did not, without the setting too, and once', async () => {
    const { retention, dropped, state, step } = retentionOf(675, null);
    state.start = asSlot(40);
    await retention.step(step);
    await retention.step(step);
    expect(dropped).toEqual([40]);
  });
});

test('the log is at most an eighth longer than its retention', () => {
  expect(logLengthMaxMs(8_000)).toBe(9_000);
});

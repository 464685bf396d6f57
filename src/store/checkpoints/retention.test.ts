import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AGE_MAX_MS,
  type CheckpointTime,
  COVERED_SLOTS,
  retainedCheckpoints,
} from './retention.ts';

const MINUTE_MS = 60_000;
const COVERED_MS = 120 * MINUTE_MS;
/** Slots in a minute of a chain. */
const MINUTE_SLOTS = 150;

/** The ages of what is retained, at the time of the newest. */
function agesOf(retained: readonly CheckpointTime[]): number[] {
  const nowMs = Math.max(...retained.map(({ timeMs }) => timeMs));
  return retained.map(({ timeMs }) => nowMs - timeMs).sort((one, other) => one - other);
}

describe('checkpoints are retained', () => {
  test('in full if there are at most two, however old', () => {
    const two = [
      { slot: 9, timeMs: 9e9 },
      { slot: 1, timeMs: 0 },
    ];
    expect(retainedCheckpoints([])).toEqual([]);
    expect(retainedCheckpoints(two)).toEqual(two);
  });

  test('at ages that double up to ten minutes, then every ten minutes, up to two hours', () => {
    const everyMinute = Array.from({ length: 400 }, (_, at) => ({
      slot: at * MINUTE_SLOTS,
      timeMs: at * MINUTE_MS,
    }));
    const minutes = agesOf(retainedCheckpoints(everyMinute)).map((ageMs) => ageMs / MINUTE_MS);
    expect(minutes).toEqual([
      ...[0, 1, 2, 4, 8, 16, 26, 36, 46, 56, 66, 76, 86, 96, 106, 116, 126],
    ]);
  });

  test('so that for every age up to two hours one is at most twice as old, as time passes', () => {
    // Seconds between checkpoints, as a loaded machine makes them.
    const gaps = fc.array(fc.integer({ min: 20, max: 110 }), { minLength: 300, maxLength: 600 });
    fc.assert(
      fc.property(gaps, (seconds) => {
        let retained: CheckpointTime[] = [];
        let timeMs = 0;
        for (const [at, gap] of seconds.entries()) {
          timeMs += gap * 1_000;
          const slot = at * MINUTE_SLOTS;
          retained = retainedCheckpoints([...retained, { slot, timeMs }]);
          expect(retained.length).toBeLessThan(28);
          const ages = agesOf(retained);
          for (const [at, ageMs] of ages.slice(2).entries()) {
            expect(ageMs).toBeLessThanOrEqual(AGE_MAX_MS);
            const younger = ages[at + 1] ?? 0;
            // Two checkpoints may be further apart than the younger one is old.
            const limitMs = younger + Math.max(110_000, Math.min(younger, 10 * MINUTE_MS));
            expect(ageMs).toBeLessThanOrEqual(limitMs);
          }
          expect(ages.at(-1)).toBeGreaterThanOrEqual(Math.min(timeMs - 110_000, COVERED_MS));
        }
      }),
      { numRuns: 10 },
    );
  });

  test('without those older than two hours and ten minutes after a pause', () => {
    const hour = 60 * MINUTE_MS;
    const times = [0, 1, 2, 3, 10].map((at) => ({ slot: at * 9_000, timeMs: at * hour }));
    expect(retainedCheckpoints(times).map(({ slot }) => slot)).toEqual([90_000, 27_000]);
  });

  test('so that one is always as many slots before the newest as must be answered', () => {
    // A clock that stands still, runs or leaps, and as few slots between two as a busy chain has.
    const steps = fc.array(
      fc.record({
        slots: fc.integer({ min: 1, max: 700 }),
        timeMs: fc.constantFrom(0, 1_000, 60_000, 10 * COVERED_MS),
      }),
      { minLength: 1, maxLength: 200 },
    );
    fc.assert(
      fc.property(steps, (taken) => {
        let retained: CheckpointTime[] = [];
        let newest = { slot: 1_000, timeMs: 0 };
        for (const { slots, timeMs } of taken) {
          newest = { slot: newest.slot + slots, timeMs: newest.timeMs + timeMs };
          const isFirst = retained.length === 0;
          const hadOne = retained.some(({ slot }) => slot <= newest.slot - COVERED_SLOTS);
          retained = retainedCheckpoints([newest, ...retained]);
          expect(retained.length).toBeLessThan(28);
          expect(retained[0]).toBe(newest);
          // The first of all stays until another is old enough.
          if (isFirst) continue;
          const has = retained.some(({ slot }) => slot <= newest.slot - COVERED_SLOTS);
          expect(has).toBe(hadOne);
          if (!has) expect(retained.at(-1)?.slot).toBe(1_000 + (taken[0]?.slots ?? 0));
        }
      }),
    );
  });
});

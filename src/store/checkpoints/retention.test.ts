import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGE_MAX_MS, type CheckpointTime, retainedCheckpoints } from './retention.ts';

const MINUTE_MS = 60_000;
const COVERED_MS = 120 * MINUTE_MS;

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

  test('at ages that double up to half an hour, then every half hour, up to two hours', () => {
    const everyMinute = Array.from({ length: 400 }, (_, at) => ({
      slot: at,
      timeMs: at * MINUTE_MS,
    }));
    const minutes = agesOf(retainedCheckpoints(everyMinute)).map((ageMs) => ageMs / MINUTE_MS);
    expect(minutes).toEqual([0, 1, 2, 4, 8, 16, 32, 62, 92, 122]);
  });

  test('so that for every age up to two hours one is at most twice as old, as time passes', () => {
    // Seconds between checkpoints, as a loaded machine makes them.
    const gaps = fc.array(fc.integer({ min: 20, max: 110 }), { minLength: 300, maxLength: 600 });
    fc.assert(
      fc.property(gaps, (seconds) => {
        let retained: CheckpointTime[] = [];
        let timeMs = 0;
        for (const [slot, gap] of seconds.entries()) {
          timeMs += gap * 1_000;
          retained = retainedCheckpoints([...retained, { slot, timeMs }]);
          expect(retained.length).toBeLessThan(20);
          const ages = agesOf(retained);
          for (const [at, ageMs] of ages.slice(2).entries()) {
            expect(ageMs).toBeLessThanOrEqual(AGE_MAX_MS);
            const younger = ages[at + 1] ?? 0;
            // Two checkpoints may be further apart than the younger one is old.
            const limitMs = younger + Math.max(110_000, Math.min(younger, 30 * MINUTE_MS));
            expect(ageMs).toBeLessThanOrEqual(limitMs);
          }
          expect(ages.at(-1)).toBeGreaterThanOrEqual(Math.min(timeMs - 110_000, COVERED_MS));
        }
      }),
      { numRuns: 10 },
    );
  });

  test('without those older than two and a half hours after a pause', () => {
    const hour = 60 * MINUTE_MS;
    const times = [0, 1, 2, 3, 10].map((at) => ({ slot: at, timeMs: at * hour }));
    expect(retainedCheckpoints(times).map(({ slot }) => slot)).toEqual([10, 3]);
  });
});

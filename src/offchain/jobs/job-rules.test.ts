import { describe, expect, it } from 'vitest';
import { ATTEMPTS_MAX, rereadDelayMs, retryDelayMs } from './job-rules.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

describe('retryDelayMs', () => {
  it('grows fourfold from ten seconds to six hours, with random jitter of up to half', () => {
    const most = [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryDelayMs(attempts, 1, null));
    expect(most).toEqual([10_000, 40_000, 160_000, 640_000, 2_560_000, 10_240_000, 21_600_000]);
    const least = [1, 2, 3].map((attempts) => retryDelayMs(attempts, 0, null));
    expect(least).toEqual([5_000, 20_000, 80_000]);
  });

  it('is the requested delay if that is longer, up to an hour', () => {
    expect(retryDelayMs(1, 0, 30_000)).toBe(30_000);
    expect(retryDelayMs(1, 0, 1_000)).toBe(5_000);
    expect(retryDelayMs(1, 0, 10 * DAY_MS)).toBe(HOUR_MS);
  });

  it('abandons a job five to ten hours after its first failure', () => {
    const span = (random: number) =>
      Array.from({ length: ATTEMPTS_MAX - 1 }, (_, at) =>
        retryDelayMs(at + 1, random, null),
      ).reduce((sum, ms) => sum + ms);
    expect(span(0) / HOUR_MS).toBeCloseTo(4.9, 1);
    expect(span(1) / HOUR_MS).toBeCloseTo(9.8, 1);
  });
});

describe('rereadDelayMs', () => {
  it('repeats a document after 5 minutes, 1 hour, 6 hours, 1 day and 7 days, then never', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((reads) => rereadDelayMs('metadata', reads, false));
    expect(delays).toEqual([5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, null]);
  });

  it('never repeats content-addressed content', () => {
    expect(rereadDelayMs('metadata', 1, true)).toBeNull();
    expect(rereadDelayMs('picture', 1, true)).toBeNull();
  });
});

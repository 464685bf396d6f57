import { describe, expect, test } from 'vitest';
import { nextAttemptMs, retryAfterMs } from './retry-schedule.ts';

const NOW_MS = Date.UTC(2025, 0, 15, 14, 32, 8);
const HOUR_MS = 3_600_000;

function delayOf(attempts: number, random: number, retryAfter: string | null = null) {
  const failed = { attempts, sinceMs: NOW_MS, nowMs: NOW_MS, retryAfter };
  return (nextAttemptMs(failed, random) ?? Number.NaN) - NOW_MS;
}

describe('A-19 the next attempt', () => {
  test('comes after 5 s, 20 s, 80 s and so on up to 12 hours, half of it random', () => {
    const most = [5, 20, 80, 320, 1_280, 5_120, 20_480, 43_200, 43_200];
    for (const [index, seconds] of most.entries()) {
      expect(delayOf(index + 1, 1)).toBe(seconds * 1_000);
      expect(delayOf(index + 1, 0)).toBe(seconds * 500);
    }
  });

  test('does not come after three days', () => {
    const at = (nowMs: number) =>
      nextAttemptMs({ attempts: 1, sinceMs: NOW_MS, nowMs, retryAfter: null }, 1);
    const last = NOW_MS + 72 * HOUR_MS - 5_000;
    expect(at(last)).toBe(NOW_MS + 72 * HOUR_MS);
    expect(at(last + 1)).toBeNull();
  });

  test('happens 13 to 20 times within the three days', () => {
    const triesOf = (random: number) => {
      let tries = 1;
      let nowMs: number | null = NOW_MS;
      for (; nowMs !== null; tries++) {
        nowMs = nextAttemptMs(
          { attempts: tries, sinceMs: NOW_MS, nowMs, retryAfter: null },
          random,
        );
      }
      return tries - 1;
    };
    // 5 + 20 + … + 20,480 s are 7.6 hours, which leaves 64.4 hours for steps of 6 to 12 hours.
    expect([triesOf(1), triesOf(0)]).toEqual([1 + 7 + 5, 1 + 7 + 11]);
  });

  test('waits as long as the receiver requests, up to a day, but at least its own delay', () => {
    expect(delayOf(1, 1, '120')).toBe(120_000);
    expect(delayOf(1, 1, '1')).toBe(5_000);
    expect(delayOf(1, 1, '999999')).toBe(24 * HOUR_MS);
    expect(delayOf(1, 1, new Date(NOW_MS + 60_000).toUTCString())).toBe(60_000);
  });
});

test.each([null, '', 'soon', '-5', '1e3', '99999999999'])('%s requests no delay', (header) => {
  expect(retryAfterMs(header, NOW_MS)).toBe(0);
});

test('a date in the past requests no delay', () => {
  expect(retryAfterMs(new Date(NOW_MS - 60_000).toUTCString(), NOW_MS)).toBe(0);
});

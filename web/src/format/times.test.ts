import { expect, test } from 'vitest';
import { formatAge, formatDuration, formatTime } from './times.ts';

test.each([
  [null, '–'],
  [0, '0s'],
  [-5_000, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [200_000, '3m 20s'],
  [3_600_000 * 3 + 60_000 * 20, '3h 20m'],
  [86_400_000 * 12, '12d'],
])('%s ms are %s', (durationMs, expected) => {
  expect(formatDuration(durationMs)).toBe(expected);
});

test('ages are the time since an instant', () => {
  expect(formatAge('2026-11-26T21:00:00.000Z', Date.UTC(2026, 10, 26, 21, 0, 8))).toBe('8s');
});

test('times say their zone', () => {
  expect(formatTime('2026-11-26T21:23:08.500Z', 'UTC')).toBe('2026-11-26 21:23:08 UTC');
  expect(formatTime('2026-07-26T21:23:08.500Z', 'Europe/Berlin')).toBe('2026-07-26 23:23:08 CEST');
  expect(formatTime(null)).toBe('–');
});

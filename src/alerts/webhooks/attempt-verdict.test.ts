import { expect, test } from 'vitest';
import { disabledBy, verdictOf } from './attempt-verdict.ts';

const answered = (status: number) =>
  verdictOf({ kind: 'answered', status, retryAfter: null, durationMs: 1 });

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [199, 'failed'],
  [300, 'failed'],
  [404, 'failed'],
  [409, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [500, 'failed'],
])('an answer of %i is %s', (status, verdict) => {
  expect(answered(status)).toBe(verdict);
});

test('a missing response is a failure', () => {
  expect(verdictOf({ kind: 'unanswered', error: 'timed-out', durationMs: 5_000 })).toBe('failed');
});

test('a webhook is disabled by 410, or by ten consecutive failures over three days', () => {
  const threeDaysMs = 259_200_000;
  expect(disabledBy('gone', { sinceMs: null, inRow: 0 }, 0)).toBe('gone');
  expect(disabledBy('failed', { sinceMs: 0, inRow: 10 }, threeDaysMs)).toBe('failing');
  expect(disabledBy('failed', { sinceMs: 0, inRow: 9 }, threeDaysMs)).toBeNull();
  expect(disabledBy('failed', { sinceMs: 1, inRow: 100 }, threeDaysMs)).toBeNull();
  expect(disabledBy('delivered', { sinceMs: 0, inRow: 100 }, threeDaysMs)).toBeNull();
});

import { expect, test } from 'vitest';
import { secondsAt } from './late-forecast.ts';

const REFOLD = { beganMs: 5_000, spanMs: 3_600_000, swapsPerSecond: 3_000 };

test('a refold ends when it has folded the span and what came meanwhile, beside the live fold', () => {
  // In 3,600 s after the first 5 s: 3,600,000 of the span and 3,600,000 new ones are folded again,
  // and 3,600,000 new ones once: 10,800,000 at 3,000 a second.
  expect(secondsAt(1_000, REFOLD)).toBe(5 + 3_600);
  expect(secondsAt(500, REFOLD)).toBe(5 + 900);
});

test('a refold never ends on a chain that takes all of the thread', () => {
  expect(secondsAt(1_500, REFOLD)).toBe(Number.POSITIVE_INFINITY);
  expect(secondsAt(2_000, REFOLD)).toBe(Number.POSITIVE_INFINITY);
});

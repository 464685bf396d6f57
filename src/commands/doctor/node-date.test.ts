import { expect, test } from 'vitest';
import { clockOffsetMs } from './node-date.ts';

// The node says 12:00:10, so it was between 12:00:10.000 and 12:00:11.000 when it answered.
const NODE_MS = Date.UTC(2026, 0, 1, 12, 0, 10);

test.each([
  ['asked and answered within that second', 200, 700, 0],
  ['answered as the second begins', -300, 0, 0],
  ['asked as it ends', 1_000, 1_300, 0],
  ['asked three seconds after its end', 4_000, 4_100, 3_000],
  ['answered five seconds before its begin', -5_100, -5_000, -5_000],
])('a clock by which it %s is off by at least the given time', (_, asked, answered, offsetMs) => {
  const date = { nodeMs: NODE_MS, askedMs: NODE_MS + asked, answeredMs: NODE_MS + answered };
  expect(clockOffsetMs(date)).toBe(offsetMs);
});

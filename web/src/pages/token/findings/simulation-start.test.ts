import { expect, test } from 'vitest';
import { simulationStartMs } from './simulation-start.ts';

test('is the whole second of the first slot, whatever slot is known', () => {
  const startMs = Date.UTC(2026, 10, 26, 21, 58, 55);
  for (const [after, second] of [
    [0, '21:58:55'],
    [1, '21:58:55'],
    [2, '21:58:55'],
    [3, '21:58:56'],
    [271, '22:00:43'],
  ] as const) {
    const known = { slot: 400_000_000 + after, at: `2026-11-26T${second}.000Z` };
    expect(simulationStartMs(400_000_000, known)).toBe(startMs);
  }
});

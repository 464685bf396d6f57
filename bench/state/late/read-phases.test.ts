import { expect, test } from 'vitest';
import { ReadPhases } from './read-phases.ts';

test('reads belong to the phase in which they were answered, and all but 200 have failed', () => {
  const phases = new ReadPhases();
  const read = (status: number, ms: number) =>
    phases.add({ route: 'token', sentAtMs: 1_000, answeredAtMs: 1_000 + ms, status, slot: null });
  read(200, 5);
  phases.phase = 'refolding';
  for (let ms = 1; ms <= 200; ms++) read(ms === 7 ? 503 : 200, ms);
  read(0, 10_000);
  phases.phase = 'over';
  read(0, 3);
  expect(phases.of('before')).toEqual({ reads: 1, failed: 0, p50Ms: 5, p99Ms: 5, longestMs: 5 });
  expect(phases.of('refolding')).toEqual({
    reads: 201,
    failed: 2,
    p50Ms: 101,
    p99Ms: 199,
    longestMs: 10_000,
  });
  expect(phases.of('merging')).toMatchObject({ reads: 0, failed: 0, longestMs: Number.NaN });
});

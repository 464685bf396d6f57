import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

/**
 * Sends whenever the bucket allows it, after pauses of the given lengths. Returns the send times.
 */
function sendAll(perSecond: number, pausesMs: readonly number[]): number[] {
  const bucket = new TokenBucket(perSecond);
  const sentMs: number[] = [];
  let nowMs = 0;
  for (const pauseMs of pausesMs) {
    nowMs += pauseMs;
    nowMs += bucket.waitMs(nowMs);
    expect(bucket.waitMs(nowMs)).toBe(0);
    bucket.take(nowMs);
    sentMs.push(nowMs);
  }
  return sentMs;
}

describe('a token bucket', () => {
  it('allows no second more than the rate, even with a tenth more for requests that bunch up in transit', () => {
    const pauses = fc.array(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      ),
      { maxLength: 300, size: 'max' },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), pauses, (perSecond, pausesMs) => {
        const sentMs = sendAll(perSecond, pausesMs);
        for (const startMs of sentMs) {
          const inSecond = sentMs.filter((ms) => ms >= startMs && ms < startMs + 1_100);
          expect(inSecond.length).toBeLessThanOrEqual(perSecond);
        }
      }),
    );
  });

  it.each([0.5, 1, 7, 20, 100])(
    'keeps a busy sender at eight tenths of %d per second or better',
    (perSecond) => {
      const requests = Math.ceil(perSecond * 60);
      const sentMs = sendAll(perSecond, Array(requests).fill(0));
      const seconds = (sentMs.at(-1) ?? 0) / 1_000;
      expect(seconds).toBeLessThan(60 / 0.8);
    },
  );
});

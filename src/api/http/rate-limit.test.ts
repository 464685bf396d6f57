import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter } from './rate-limit.ts';

const NOW = 1_736_951_528_000;

describe('A-16 rate limit of 600 a minute with a burst of 100', () => {
  const limit = { perMinute: 600, burst: 100 };

  test('lets exactly the burst through at once', () => {
    const limiter = createRateLimiter(limit);
    const remaining = Array.from({ length: 101 }, () => limiter.take('key', NOW).remaining);
    expect(remaining).toEqual([...Array.from({ length: 100 }, (_, sent) => 99 - sent), 0]);
  });

  test('returns the time to wait', () => {
    const limiter = createRateLimiter(limit);
    expect(limiter.take('key', NOW)).toEqual({
      isAllowed: true,
      remaining: 99,
      resetSeconds: 1,
      retryAfterSeconds: 0,
    });
    for (let sent = 1; sent < 100; sent++) limiter.take('key', NOW);
    // One request becomes available every 100 ms, the whole burst after 10 s.
    expect(limiter.take('key', NOW)).toEqual({
      isAllowed: false,
      remaining: 0,
      resetSeconds: 10,
      retryAfterSeconds: 1,
    });
  });

  test('allows one more after 100 ms and not after 99', () => {
    const limiter = createRateLimiter(limit);
    for (let sent = 0; sent < 100; sent++) limiter.take('key', NOW);
    expect(limiter.take('key', NOW + 99).isAllowed).toBe(false);
    expect(limiter.take('key', NOW + 100).isAllowed).toBe(true);
    expect(limiter.take('key', NOW + 100).isAllowed).toBe(false);
  });

  test('counts a request as several, or not at all', () => {
    const limiter = createRateLimiter(limit);
    limiter.take('key', NOW);
    expect(limiter.takeMore('key', NOW, 9).remaining).toBe(90);
    limiter.take('key', NOW);
    // All 91 are refused, the one that was counted too.
    expect(limiter.takeMore('key', NOW, 90)).toEqual({
      isAllowed: false,
      remaining: 90,
      resetSeconds: 1,
      retryAfterSeconds: 1,
    });
    limiter.take('key', NOW);
    expect(limiter.takeMore('key', NOW, 89)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  test('counts several requests as so many single ones', () => {
    const requests = fc.record({
      afterMs: fc.nat(3_000),
      count: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(requests, { maxLength: 30 }), (all) => {
        const limiter = createRateLimiter(limit);
        /** Milliseconds until the bucket is full, of 100 ms for each request. */
        let aheadMs = 0;
        let nowMs = NOW;
        for (const { afterMs, count } of all) {
          nowMs += afterMs;
          aheadMs = Math.max(0, aheadMs - afterMs);
          const isExpected = aheadMs + count * 100 <= 10_000;
          const first = limiter.take('key', nowMs);
          const last = first.isAllowed ? limiter.takeMore('key', nowMs, count - 1) : first;
          if (isExpected) aheadMs += count * 100;
          const remaining = Math.floor((10_000 - aheadMs) / 100);
          expect(last).toMatchObject({ isAllowed: isExpected, remaining });
        }
      }),
    );
  });

  test('counts keys separately', () => {
    const limiter = createRateLimiter(limit);
    for (let sent = 0; sent < 100; sent++) limiter.take('one', NOW);
    expect(limiter.take('one', NOW).isAllowed).toBe(false);
    expect(limiter.take('other', NOW).remaining).toBe(99);
  });

  test('neither locks out nor refills a key when the clock steps back', () => {
    const limiter = createRateLimiter(limit);
    for (let sent = 0; sent < 100; sent++) limiter.take('key', NOW);
    expect(limiter.take('key', NOW - 3_600_000).isAllowed).toBe(false);
    expect(limiter.take('key', NOW - 3_600_000 + 100).isAllowed).toBe(true);
  });

  test('allows a full burst at most when the clock steps ahead', () => {
    const limiter = createRateLimiter(limit);
    limiter.take('key', NOW);
    expect(limiter.take('key', NOW + 86_400_000).remaining).toBe(99);
  });
});

describe('A-16 rate limit', () => {
  test('never allows more than the burst plus the refill since', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 300 });
    const rate = fc.record({
      perMinute: fc.integer({ min: 1, max: 100_000 }),
      burst: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(waits, rate, (delays, limit) => {
        const limiter = createRateLimiter(limit);
        let now = NOW;
        let allowed = 0;
        for (const delay of delays) {
          now += delay;
          if (limiter.take('key', now).isAllowed) allowed += 1;
          const cameBack = ((now - NOW) * limit.perMinute) / 60_000;
          expect(allowed).toBeLessThanOrEqual(limit.burst + cameBack + 1e-6);
        }
      }),
    );
  });

  test('drops full buckets first when there are too many keys', () => {
    const limiter = createRateLimiter({ perMinute: 60, burst: 2 }, 2);
    limiter.take('rested', NOW);
    limiter.take('busy', NOW + 2_000);
    limiter.take('busy', NOW + 2_000);
    limiter.take('new', NOW + 2_000);
    expect(limiter.take('busy', NOW + 2_000).isAllowed).toBe(false);
  });

  test('drops the oldest bucket when none is full', () => {
    const limiter = createRateLimiter({ perMinute: 60, burst: 1 }, 2);
    for (const key of ['oldest', 'newer', 'newest']) limiter.take(key, NOW);
    expect(limiter.take('newest', NOW).isAllowed).toBe(false);
    expect(limiter.take('newer', NOW).isAllowed).toBe(false);
    expect(limiter.take('oldest', NOW).isAllowed).toBe(true);
  });
});

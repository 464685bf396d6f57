export interface RateLimit {
  readonly perMinute: number;
  /** Requests a key may send at once after an idle period. */
  readonly burst: number;
}

export interface Allowance {
  readonly isAllowed: boolean;
  /** Requests the key may still send immediately. */
  readonly remaining: number;
  /** Seconds until the full burst is available again. */
  readonly resetSeconds: number;
  /** Seconds until one request is available; 0 if one is available now. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of a key. A refused request does not use up allowance. */
  take(keyId: string, nowMs: number): Allowance;
}

const KEYS_MAX = 10_000;
/** Far below the time of one request, and far above the rounding error of a double. */
const ROUNDING_MS = 1e-6;

/**
 * A token bucket per key, stored as one number: the time at which the bucket will be full again.
 * Each request moves that time forward by the cost of one request, up to the cost of a burst.
 * Clocks that step back neither lock a key out nor refill its bucket.
 *
 * At most `keysMax` buckets are kept. Full buckets carry no information and are dropped first, then
 * the oldest.
 */
export function createRateLimiter(
  { perMinute, burst }: RateLimit,
  keysMax: number = KEYS_MAX,
): RateLimiter {
  const costMs = 60_000 / perMinute;
  const burstMs = burst * costMs;
  const fullAtMs = new Map<string, number>();
  const toMonotonicMs = createMonotonicClock();
  return {
    take(keyId, nowMs) {
      const now = toMonotonicMs(nowMs);
      const known = fullAtMs.get(keyId);
      const aheadMs = known === undefined || known < now ? 0 : known - now;
      const isAllowed = aheadMs + costMs <= burstMs + ROUNDING_MS;
      const usedMs = isAllowed ? aheadMs + costMs : aheadMs;
      if (known === undefined && fullAtMs.size >= keysMax) makeSpace(fullAtMs, now, keysMax);
      fullAtMs.set(keyId, now + usedMs);
      return {
        isAllowed,
        remaining: Math.max(0, Math.floor((burstMs - usedMs + ROUNDING_MS) / costMs)),
        resetSeconds: Math.ceil((usedMs - ROUNDING_MS) / 1_000),
        retryAfterSeconds: isAllowed
          ? 0
          : Math.max(1, Math.ceil((aheadMs + costMs - burstMs - ROUNDING_MS) / 1_000)),
      };
    },
  };
}

/** Follows the clock but never goes back: a backward step is absorbed by an offset. */
function createMonotonicClock(): (nowMs: number) => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  let offsetMs = 0;
  return (nowMs) => {
    if (nowMs < lastMs) offsetMs += lastMs - nowMs;
    lastMs = nowMs;
    return nowMs + offsetMs;
  };
}

function makeSpace(fullAtMs: Map<string, number>, now: number, keysMax: number): void {
  for (const [keyId, fullAt] of fullAtMs) if (fullAt <= now) fullAtMs.delete(keyId);
  for (const keyId of fullAtMs.keys()) {
    if (fullAtMs.size < keysMax) return;
    fullAtMs.delete(keyId);
  }
}

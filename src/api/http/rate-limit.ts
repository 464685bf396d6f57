export interface RateLimit {
  readonly perMinute: number;
  /** Requests a key may send at once after a pause. */
  readonly burst: number;
}

export interface Allowance {
  readonly isAllowed: boolean;
  /** Requests the key may still send at once. */
  readonly remaining: number;
  /** Until the whole burst is available again. */
  readonly resetSeconds: number;
  /** Until one request is available; 0 when one is. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of a key. A refused request costs nothing. */
  take(keyId: string, nowMs: number): Allowance;
}

const KEYS_MAX = 10_000;
/** Far below a request's worth of time, far above the rounding of a double. */
const ROUNDING_MS = 1e-6;

/**
 * A token bucket per key, kept as one number: the time at which the key's bucket will be full
 * again. Each request moves that time one request's worth into the future; it may be at most a
 * burst's worth ahead. Clocks that step back neither lock a key out nor refill it.
 *
 * At most `keysMax` buckets are kept. Full buckets say nothing and go first, then the oldest.
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

/** Follows the clock but never goes back: a step back only stops it for that one reading. */
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

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
  /** Seconds until the refused requests are available; 0 if they were allowed. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of a key. A refused request does not use up allowance. */
  take(keyId: string, nowMs: number): Allowance;
  /**
   * Counts further requests of a key for a request that `take` has allowed. If they are refused, that
   * request does not use up allowance either.
   */
  takeMore(keyId: string, nowMs: number, requests: number): Allowance;
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
  /** Moves the time of a full bucket forward by the cost of all `requests`, or of none. */
  const count = (keyId: string, now: number, aheadMs: number, requests: number): Allowance => {
    const wantedMs = requests * costMs;
    const isAllowed = aheadMs + wantedMs <= burstMs + ROUNDING_MS;
    const usedMs = isAllowed ? aheadMs + wantedMs : aheadMs;
    if (!fullAtMs.has(keyId) && fullAtMs.size >= keysMax) makeSpace(fullAtMs, now, keysMax);
    fullAtMs.set(keyId, now + usedMs);
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((burstMs - usedMs + ROUNDING_MS) / costMs)),
      resetSeconds: Math.ceil((usedMs - ROUNDING_MS) / 1_000),
      retryAfterSeconds: isAllowed
        ? 0
        : Math.max(1, Math.ceil((aheadMs + wantedMs - burstMs - ROUNDING_MS) / 1_000)),
    };
  };
  const aheadOf = (keyId: string, now: number) => Math.max(0, (fullAtMs.get(keyId) ?? now) - now);
  return {
    take(keyId, nowMs) {
      const now = toMonotonicMs(nowMs);
      return count(keyId, now, aheadOf(keyId, now), 1);
    },
    takeMore(keyId, nowMs, requests) {
      const now = toMonotonicMs(nowMs);
      // The request that was counted is counted again with the others, or not at all.
      const aheadMs = Math.max(0, aheadOf(keyId, now) - costMs);
      return count(keyId, now, aheadMs, 1 + requests);
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

/** Share of a second's requests that may be sent at once. */
const BURST_SHARE = 0.1;
/** Requests may arrive closer together than they were sent, by up to this much. */
const BUNCHING_MS = 100;
/** Tolerance for rounding in sums of fractions. */
const ROUNDING = 1e-9;

/**
 * Limits requests to a rate. Burst and refill together respect it: even on arrival there are no
 * more than `perSecond` in any second, which is how providers count.
 */
export class TokenBucket {
  private readonly capacity: number;
  private readonly refillPerMs: number;
  private tokens: number;
  private atMs: number | null = null;

  /** `perSecond` is above zero and may be less than one. */
  constructor(perSecond: number) {
    this.capacity = Math.max(1, Math.floor(perSecond * BURST_SHARE));
    const refill = this.capacity === 1 ? perSecond : perSecond - this.capacity;
    this.refillPerMs = refill / (1_000 + BUNCHING_MS);
    this.tokens = this.capacity;
  }

  /** Milliseconds until a request may be sent; 0 for now. */
  waitMs(nowMs: number): number {
    this.refill(nowMs);
    const missing = 1 - this.tokens;
    return missing <= ROUNDING ? 0 : Math.ceil(missing / this.refillPerMs);
  }

  /** Counts a request that is sent now. */
  take(nowMs: number): void {
    this.refill(nowMs);
    this.tokens -= 1;
  }

  private refill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - (this.atMs ?? nowMs));
    this.tokens = Math.min(this.capacity, this.tokens + passedMs * this.refillPerMs);
    this.atMs = nowMs;
  }
}

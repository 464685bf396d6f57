import type { Clock } from '../../lib/clock.ts';

/** A token bucket: `perMinute` requests a minute, of which `burst` may be sent at once. */
export interface PaceLimits {
  readonly perMinute: number;
  readonly burst: number;
}

export class RequestPace {
  private readonly clock: Clock;
  private readonly limits: PaceLimits;
  private tokens: number;
  private atMs: number;

  constructor(clock: Clock, limits: PaceLimits) {
    this.clock = clock;
    this.limits = limits;
    this.tokens = limits.burst;
    this.atMs = clock.nowMs();
  }

  /** Milliseconds until a request may be sent; 0 for now. */
  waitMs(): number {
    this.refill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) * 60_000) / this.limits.perMinute);
  }

  /** Waits until a request may be sent and counts it; returns early when the signal aborts. */
  async take(signal: AbortSignal): Promise<void> {
    for (let ms = this.waitMs(); ms > 0 && !signal.aborted; ms = this.waitMs()) {
      await this.clock.sleep(ms, signal);
    }
    this.tokens -= 1;
  }

  private refill(): void {
    const nowMs = this.clock.nowMs();
    const gained = ((nowMs - this.atMs) * this.limits.perMinute) / 60_000;
    this.tokens = Math.min(this.limits.burst, this.tokens + Math.max(0, gained));
    this.atMs = nowMs;
  }
}

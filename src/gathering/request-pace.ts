import type { Clock } from '../lib/clock.ts';

/** Rate limiter: `perSecond` requests per second, and as many at once after a pause. */
export class RequestPace {
  private readonly perSecond: number;
  private readonly clock: Clock;
  private free: number;
  private countedAtMs: number;

  constructor(perSecond: number, clock: Clock) {
    this.perSecond = perSecond;
    this.clock = clock;
    this.free = perSecond;
    this.countedAtMs = clock.nowMs();
  }

  isFree(): boolean {
    const nowMs = this.clock.nowMs();
    const grown = ((nowMs - this.countedAtMs) / 1_000) * this.perSecond;
    this.free = Math.min(this.perSecond, this.free + grown);
    this.countedAtMs = nowMs;
    return this.free >= 1;
  }

  take(): void {
    this.free -= 1;
  }
}

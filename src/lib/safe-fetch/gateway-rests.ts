import type { Clock } from '../clock.ts';

/** The default and the maximum time for which a busy or broken gateway is not contacted. */
const REST_MS = 30_000;
const REST_MAX_MS = 600_000;

/** Gateways that asked not to be contacted for a while. At most one entry per gateway. */
export class GatewayRests {
  private readonly clock: Clock;
  private readonly untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  isResting(origin: string): boolean {
    return this.clock.nowMs() < (this.untilMs.get(origin) ?? Number.NEGATIVE_INFINITY);
  }

  /** `retryAfter` is the header of that name; only its form in seconds is supported. */
  rest(origin: string, retryAfter: string | null): void {
    const restMs = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : REST_MS;
    this.untilMs.set(origin, this.clock.nowMs() + Math.min(restMs, REST_MAX_MS));
  }
}

import type { Clock } from '../clock.ts';

/** How long a gateway that is busy or broken is left alone when it does not say, and at most. */
const REST_MS = 30_000;
const REST_MAX_MS = 600_000;

/** Which gateways asked to be left alone, and until when. As many entries as there are gateways. */
export class GatewayRests {
  private readonly clock: Clock;
  private readonly untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  isResting(origin: string): boolean {
    return this.clock.nowMs() < (this.untilMs.get(origin) ?? Number.NEGATIVE_INFINITY);
  }

  /** `retryAfter` is the header of that name; only its form in seconds is followed. */
  rest(origin: string, retryAfter: string | null): void {
    const asked = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : REST_MS;
    this.untilMs.set(origin, this.clock.nowMs() + Math.min(asked, REST_MAX_MS));
  }
}

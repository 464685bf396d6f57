import type { Clock } from '../../../lib/clock.ts';

/**
 * What work that runs beside its owner has to say, in the order in which it ended. Nothing of it
 * happens before the owner says so: the owner's state changes in one place.
 */
export class Inbox {
  private readonly clock: Clock;
  private readonly deliveries: (() => void)[] = [];
  private waking: AbortController | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Takes what the work resolves to. A rejection is thrown by `deliver`. */
  expect(work: Promise<() => void>): void {
    const fail = (error: unknown) => () => {
      throw error;
    };
    work
      .catch(fail)
      .then((delivery) => {
        this.deliveries.push(delivery);
        this.rouse();
      })
      .catch(fail);
  }

  deliver(): void {
    for (const delivery of this.deliveries.splice(0)) delivery();
  }

  /** Ends the wait that is going on. */
  rouse(): void {
    this.waking?.abort();
  }

  /** Resolves when there is something, at `rouse`, or after this long. */
  async wait(ms: number): Promise<void> {
    if (this.deliveries.length > 0) return;
    this.waking = new AbortController();
    await this.clock.sleep(ms, this.waking.signal);
    this.waking = null;
  }
}

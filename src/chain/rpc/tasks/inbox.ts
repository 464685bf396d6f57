import type { Clock } from '../../../lib/clock.ts';

/**
 * Results of concurrent work, in order of completion. Nothing takes effect before the owner calls
 * `deliver`: the owner's state changes in one place.
 */
export class Inbox {
  private readonly clock: Clock;
  private readonly deliveries: (() => void)[] = [];
  private waking: AbortController | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Queues the callback that the work resolves to. A rejection is thrown by `deliver`. */
  expect(work: Promise<() => void>): void {
    const fail = (error: unknown) => () => {
      throw error;
    };
    work
      .catch(fail)
      .then((delivery) => {
        this.deliveries.push(delivery);
        this.wakeUp();
      })
      .catch(fail);
  }

  deliver(): void {
    for (const delivery of this.deliveries.splice(0)) delivery();
  }

  /** Ends the current wait. */
  wakeUp(): void {
    this.waking?.abort();
  }

  /** Resolves when a result is there, at `rouse`, or after this long. */
  async wait(ms: number): Promise<void> {
    if (this.deliveries.length > 0) return;
    this.waking = new AbortController();
    await this.clock.sleep(ms, this.waking.signal);
    this.waking = null;
  }
}

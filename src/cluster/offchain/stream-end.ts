import type { Clock } from '../../lib/clock.ts';
import { LogUnavailable, type StepLog } from '../step-log.ts';

export interface StreamEndOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Between looks at where the stream ends. */
  readonly lookMs?: number;
}

const LOOK_MS = 2_000;

/** Where a stream ends, as the servers said a short time ago. */
export class StreamEnd {
  private readonly options: StreamEndOptions;
  private last: number | null = null;

  constructor(options: StreamEndOptions) {
    this.options = options;
  }

  /** Sequence of the last message; null while the servers do not answer. */
  get seq(): number | null {
    return this.last;
  }

  /** Asks again and again until the signal is aborted. */
  async run(opening: StepLog | Promise<StepLog>): Promise<void> {
    const { signal, clock, lookMs = LOOK_MS } = this.options;
    const log = await opening;
    while (!signal.aborted) {
      try {
        this.last = (await log.bounds()).lastSeq;
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        this.last = null;
      }
      await clock.sleep(lookMs, signal);
    }
  }
}

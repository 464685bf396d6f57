import type { Clock } from '../lib/clock.ts';
import { LogFull, LogUnavailable } from './step-log.ts';

/** Why a log takes no steps, or does not answer. */
export interface LogFailure {
  readonly sentence: string;
  /** Whether there is no room in it. */
  readonly isFull: boolean;
  /** By the clock of the process. */
  readonly sinceMs: number;
}

export interface LogRetriesOptions {
  readonly clock: Clock;
  readonly retryMs: number;
  readonly signal: AbortSignal;
  readonly onNotice?: (sentence: string) => void;
  /** Called with a sentence when the log begins to fail. */
  readonly onFailure?: (sentence: string) => void;
}

/** Repeats calls of a log that fail in passing, and knows why they do. */
export class LogRetries {
  private readonly options: LogRetriesOptions;
  private current: LogFailure | null = null;

  constructor(options: LogRetriesOptions) {
    this.options = options;
  }

  /** Null while the log answers. */
  get failure(): LogFailure | null {
    return this.current;
  }

  /** Repeats a call until it succeeds; null once the signal is aborted. */
  async call<Answer>(call: () => Promise<Answer>): Promise<Answer | null> {
    const { clock, retryMs, signal } = this.options;
    for (;;) {
      const answer = await this.attempt(call);
      if (answer !== null || signal.aborted) return answer;
      await clock.sleep(retryMs, signal);
    }
  }

  /** Makes a call once; null if it fails in passing. */
  async attempt<Answer>(call: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await call();
      this.recover();
      return answer;
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      if (!this.options.signal.aborted) this.fail(error);
      return null;
    }
  }

  /** The log was heard of. */
  recover(): void {
    if (this.current === null) return;
    this.current = null;
    this.options.onNotice?.('the log answers again');
  }

  private fail(error: LogUnavailable): void {
    const { clock, onFailure } = this.options;
    const { message: sentence } = error;
    if (this.current?.sentence === sentence) return;
    const sinceMs = this.current?.sinceMs ?? clock.nowMs();
    this.current = { sentence, isFull: error instanceof LogFull, sinceMs };
    onFailure?.(sentence);
  }
}

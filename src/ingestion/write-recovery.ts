import type { Awaitable } from '../lib/awaitable.ts';
import { isTransientError } from '../lib/transient-error.ts';

/** A time in which something cannot be stored. */
export interface WriteFailure {
  /** When it began, milliseconds since 1970. */
  readonly sinceMs: number;
  /** What the last attempt failed with, in a sentence. */
  readonly reason: string;
  /** Attempts that failed. */
  readonly attempts: number;
}

export interface RecoveryHooks {
  /** Ends the attempts: what still fails then is thrown. */
  readonly signal: AbortSignal;
  /** Once for each time in which nothing can be stored. */
  readonly onFailing?: (failure: WriteFailure) => void;
  /** That time is over; it lasted so long. */
  readonly onRecovered?: (failure: WriteFailure, durationMs: number) => void;
}

/** Waits between attempts; together with the attempt itself well below what recovery may take. */
const FIRST_DELAY_MS = 100;
const DELAY_MAX_MS = 2_000;

/**
 * Tries again what could not be stored for a reason that may pass. Off until `enable`: a command that
 * runs once says what is wrong and ends.
 */
export class WriteRecovery {
  private readonly nowMs: () => number;
  private readonly onChange: () => void;
  private hooks: RecoveryHooks | null = null;
  private current: WriteFailure | null = null;
  /** Pieces of work that are being tried again. */
  private failing = 0;
  private failures = 0;

  /** `onChange` is called when a failure begins and when it is over. */
  constructor(nowMs: () => number, onChange: () => void) {
    this.nowMs = nowMs;
    this.onChange = onChange;
  }

  enable(hooks: RecoveryHooks): void {
    this.hooks = hooks;
  }

  /** Null while everything can be stored. */
  get failure(): WriteFailure | null {
    return this.current;
  }

  /** Attempts that failed since the start. */
  get failedAttempts(): number {
    return this.failures;
  }

  /** Does the work, again and again while it fails for a reason that may pass. */
  async run<Result>(work: () => Awaitable<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      return this.repeat(work, error);
    }
  }

  private async repeat<Result>(work: () => Awaitable<Result>, first: unknown): Promise<Result> {
    let error = first;
    let isDone = false;
    this.failing++;
    try {
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, DELAY_MAX_MS)) {
        const signal = this.assertWorthAnother(error);
        this.note(error);
        await pause(delayMs, signal);
        if (signal.aborted) throw error;
        try {
          const result = await work();
          isDone = true;
          return result;
        } catch (next) {
          error = next;
        }
      }
    } finally {
      this.failing--;
      this.over(isDone);
    }
  }

  private assertWorthAnother(error: unknown): AbortSignal {
    const { hooks } = this;
    if (hooks === null || hooks.signal.aborted || !isTransientError(error)) throw error;
    return hooks.signal;
  }

  private note(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const { current } = this;
    this.failures++;
    this.current = {
      sinceMs: current?.sinceMs ?? this.nowMs(),
      reason,
      attempts: (current?.attempts ?? 0) + 1,
    };
    if (current !== null) return;
    this.hooks?.onFailing?.(this.current);
    this.onChange();
  }

  /** `isDone`: what ends now was stored; else it is given up, and nothing has recovered. */
  private over(isDone: boolean): void {
    const { current, hooks } = this;
    if (this.failing > 0 || current === null) return;
    this.current = null;
    if (isDone) hooks?.onRecovered?.(current, this.nowMs() - current.sinceMs);
    this.onChange();
  }
}

/** Until so much time has passed, or the signal says that nobody waits any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

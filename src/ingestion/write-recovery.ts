import type { Awaitable } from '../lib/awaitable.ts';
import { isTransientError } from '../lib/transient-error.ts';

/** A period in which writes fail. */
export interface WriteFailure {
  /** Start of the period, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Error of the last attempt, as a sentence. */
  readonly reason: string;
  /** Number of failed attempts. */
  readonly attempts: number;
}

export interface RecoveryHooks {
  /** Ends the retries; the last error is then thrown. */
  readonly signal: AbortSignal;
  /** Called once per period. */
  readonly onFailing?: (failure: WriteFailure) => void;
  /** Called when the period is over, with its duration. */
  readonly onRecovered?: (failure: WriteFailure, durationMs: number) => void;
}

/** Delays between attempts; together with the attempt well below the allowed recovery time. */
const FIRST_DELAY_MS = 100;
const DELAY_MAX_MS = 2_000;

/**
 * Retries transient failures to store. Off until `enable`: one-off commands report the error and
 * end.
 */
export class WriteRecovery {
  private readonly nowMs: () => number;
  private readonly onChange: () => void;
  private hooks: RecoveryHooks | null = null;
  private current: WriteFailure | null = null;
  /** Number of operations being retried. */
  private failing = 0;
  private failures = 0;

  /** `onChange` is called when a failure period begins and when it ends. */
  constructor(nowMs: () => number, onChange: () => void) {
    this.nowMs = nowMs;
    this.onChange = onChange;
  }

  enable(hooks: RecoveryHooks): void {
    this.hooks = hooks;
  }

  /** Whether transient failures are retried now. */
  get isEnabled(): boolean {
    return this.hooks !== null && !this.hooks.signal.aborted;
  }

  /** Null while writes succeed. */
  get failure(): WriteFailure | null {
    return this.current;
  }

  /** Failed attempts since the start. */
  get failedAttempts(): number {
    return this.failures;
  }

  /** Runs `work`, and retries it while it fails transiently. */
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

  /** `isDone`: the operation succeeded; otherwise it was abandoned, and nothing has recovered. */
  private over(isDone: boolean): void {
    const { current, hooks } = this;
    if (this.failing > 0 || current === null) return;
    this.current = null;
    if (isDone) hooks?.onRecovered?.(current, this.nowMs() - current.sinceMs);
    this.onChange();
  }
}

/** Resolves after `ms`, or when the signal is aborted. */
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

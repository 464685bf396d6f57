import type { BacktestOptions } from '../../model/backtest.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';

/** A request to the thread of backtests. It works on one backtest at a time. */
export type BacktestStep =
  /**
   * Begins to record the range from a state; null begins with nothing. Answered with true if the
   * tape of the same key is known, and reaches until after `untilMs`: then no slots are needed.
   */
  | {
      readonly kind: 'record';
      readonly linked: LinkedState | null;
      readonly fromMs: number;
      readonly untilMs: number;
      readonly key: string;
    }
  /** Applies slots in the log's encoded form. Answered by AppliedStep. */
  | { readonly kind: 'apply'; readonly facts: readonly string[] }
  /** Ends the recording and judges rules. Answered by JudgedStep. */
  | { readonly kind: 'judge'; readonly rules: readonly string[]; readonly options: BacktestOptions }
  /** Answered by the BacktestReport. */
  | { readonly kind: 'report'; readonly tries: number; readonly isProved: boolean }
  /** Releases everything but the tape. */
  | { readonly kind: 'release' };

/** The last slot that was applied, and the time after it. */
export interface AppliedStep {
  readonly slot: number;
  readonly timeMs: number;
}

export interface JudgedStep {
  readonly hits: number;
}

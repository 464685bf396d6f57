import type { BacktestOptions, BacktestReport } from './backtest.ts';

/** Variants of a rule that a walk-forward chooses among, the rule itself included. */
export const VARIANTS_MAX = 20;
/** Jobs of an account that are queued or running. */
export const WAITING_JOBS_MAX = 8;
/** Ended jobs that are kept for an account; older ones are removed. */
export const KEPT_JOBS_MAX = 100;
/** Longest range. */
export const RANGE_MAX_MS = 400 * 86_400_000;

export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

export type JobState = (typeof JOB_STATES)[number];

export interface BacktestRequest {
  readonly accountId: string;
  /** Texts of the rule and of its variants, the judged one first. */
  readonly rules: readonly string[];
  readonly options: BacktestOptions;
  /** Whether to prove at hits that no feature looks ahead. */
  readonly isProved: boolean;
}

export interface BacktestJob {
  readonly id: string;
  /** Name of the rule. */
  readonly name: string;
  readonly state: JobState;
  /** Share of the work that is done, 0 to 1. */
  readonly progress: number;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  /** Why it failed: a sentence for the user; null otherwise. */
  readonly reason: string | null;
  /** Null until it is done. */
  readonly report: BacktestReport | null;
}

export type BacktestOutcome =
  | { readonly kind: 'queued'; readonly job: BacktestJob }
  /** Sentences that say what is wrong with the rules. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | { readonly kind: 'full'; readonly jobsMax: number };

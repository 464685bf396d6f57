import type { ExitRule, SignalModelName } from './signal.ts';

/** Figures of a column, all exact to its last digit but where a quotient or root is rounded half up. */
export interface Summary {
  readonly count: number;
  readonly mean: bigint;
  readonly median: bigint;
  readonly min: bigint;
  readonly max: bigint;
  /** Of a sample, by n - 1; 0 with fewer than two. */
  readonly deviation: bigint;
}

export interface Center {
  readonly mean: bigint;
  readonly median: bigint;
}

export interface ModelStatistics {
  readonly model: SignalModelName;
  readonly count: number;
  readonly meanRoiE9: bigint;
  readonly medianRoiE9: bigint;
  readonly meanDrawdownE9: bigint;
}

export interface DayStatistics {
  /** UTC, YYYY-MM-DD. */
  readonly date: string;
  readonly count: number;
  readonly meanRoiE9: bigint;
}

/** CONTRACT §2.6, before it is written down: every number has nine decimals. */
export interface SignalStatistics {
  readonly count: number;
  readonly roi: Summary;
  readonly drawdown: Summary;
  readonly marketCap: Center;
  readonly athMarketCap: Center;
  readonly liquidity: Center;
  /** Most signals first, then by name. */
  readonly models: readonly ModelStatistics[];
  /** Oldest first; days without a signal are not there. */
  readonly days: readonly DayStatistics[];
}

/** How much better signals did than random minutes of the same cells, in percent of the ticket. */
export interface Lift {
  /** Signals in whose cell there is a random minute; only these are compared. */
  readonly matched: number;
  /** Mean return of those. */
  readonly mean: number;
  /** Mean over them of the mean return of their cell's random minutes. */
  readonly baseRate: number;
  readonly lift: number;
  /**
   * 95 of 100 means of resampled days lie within; null with fewer days than five, which say nothing
   * of how much days differ.
   */
  readonly interval: readonly [low: number, high: number] | null;
}

/** What could be realised after all costs with one ticket and one way out; percent with nine decimals. */
export interface ExecutionStatistics {
  readonly rule: ExitRule;
  readonly ticketUsd: number;
  /** Signals whose position is closed by this rule. Those that are not yet are no part of anything here. */
  readonly count: number;
  readonly meanE9: bigint;
  readonly medianE9: bigint;
  /** Of those that earned anything, 0 to 1; null of none. */
  readonly winShare: number | null;
  /** Against random minutes of tokens alike; null where none can be compared. */
  readonly lift: Lift | null;
}

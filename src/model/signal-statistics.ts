import type { ExitRule, ShownModel } from './signal.ts';

/** Figures of a column. All are exact except quotients and roots, which are rounded half up. */
export interface Summary {
  readonly count: number;
  readonly mean: bigint;
  readonly median: bigint;
  readonly min: bigint;
  readonly max: bigint;
  /** Sample deviation (n - 1); 0 with fewer than two values. */
  readonly deviation: bigint;
}

export interface Center {
  readonly mean: bigint;
  readonly median: bigint;
}

export interface ModelStatistics {
  readonly model: ShownModel;
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

/** The answer of CONTRACT §2.6 before formatting: every number has nine decimals. */
export interface SignalStatistics {
  readonly count: number;
  readonly roi: Summary;
  readonly drawdown: Summary;
  readonly marketCap: Center;
  readonly athMarketCap: Center;
  readonly liquidity: Center;
  /** Most signals first, then by name. */
  readonly models: readonly ModelStatistics[];
  /** Oldest first; days without signals are omitted. */
  readonly days: readonly DayStatistics[];
}

/** Difference between signals and random minutes of the same cells, in percent of the ticket. */
export interface Lift {
  /** Number of signals whose cell contains a random minute; only these are compared. */
  readonly matched: number;
  /** Mean return of these signals. */
  readonly mean: number;
  /** Mean over these signals of the mean return of the random minutes in their cell. */
  readonly baseRate: number;
  readonly lift: number;
  /**
   * Contains 95 of 100 means of resampled days; null with fewer than 20 compared signals or fewer
   * than five days of them, which are too few to say.
   */
  readonly interval: readonly [low: number, high: number] | null;
}

/**
 * Realisable result after all costs with one ticket and one exit rule; percentages have nine
 * decimals.
 */
export interface ExecutionStatistics {
  readonly rule: ExitRule;
  readonly ticketUsd: number;
  /**
   * Signals whose position was closed by this rule. Open positions are excluded from all figures
   * here.
   */
  readonly count: number;
  readonly meanE9: bigint;
  readonly medianE9: bigint;
  /** Share of positions with a profit, 0 to 1; null when there are none. */
  readonly winShare: number | null;
  /** Compared with random minutes of similar tokens; null when there is none to compare with. */
  readonly lift: Lift | null;
}

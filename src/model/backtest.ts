import type { ExitRule } from './signal.ts';
import type { ExecutionStatistics } from './signal-statistics.ts';
import type { Address, Slot } from './units.ts';

/** Times between a hit and the trade on it. */
export const ENTRY_DELAYS = ['1_slot', '2_slots', '10_s', '60_s'] as const;

export type EntryDelay = (typeof ENTRY_DELAYS)[number];

/** What a backtest assumes. All of it is part of its report. */
export interface BacktestOptions {
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Share of the entries that fail on the chain, 0 to 1. */
  readonly failedShare: number;
  /** Priority fee and rent of each transaction, in SOL. */
  readonly networkSol: number;
  /** Tip of each transaction, in SOL. */
  readonly tipSol: number;
  /** Share of the traded amount, charged by the trading terminal, 0 to 1. */
  readonly terminalFee: number;
  /** Share of all judged minutes that are drawn for comparison, 0 to 1. */
  readonly controlShare: number;
}

/** What is assumed unless it is given; the range has no default. */
export const BACKTEST_DEFAULTS: Omit<BacktestOptions, 'fromMs' | 'toMs'> = {
  failedShare: 0.1,
  networkSol: 0.0005,
  tipSol: 0.0005,
  terminalFee: 0.01,
  controlShare: 0.1,
};

/** A hit of a rule. */
export interface BacktestHit {
  readonly mint: Address;
  readonly pool: Address;
  /** Start of the minute that was judged. */
  readonly minuteMs: number;
  /** The first slot after the minute, and its time. */
  readonly slot: Slot;
  readonly timeMs: number;
}

/** Returns of one exit rule and ticket. */
export interface DelayedExecution extends ExecutionStatistics {
  /** The interval of the lift, widened for the number of tries; null if too few to say. */
  readonly chargedInterval: readonly [low: number, high: number] | null;
}

/** Hits that were traded with one delay. hits = valued + failed + open + unpriced. */
export interface DelayReport {
  readonly delay: EntryDelay;
  readonly failed: number;
  /** Too late in the log for the exit after 24 hours. */
  readonly open: number;
  /** Without known reserves. */
  readonly unpriced: number;
  readonly execution: readonly DelayedExecution[];
  /** By exit rule, the largest ticket in dollars with a mean return above 0; null if there is none. */
  readonly capacityUsd: Readonly<Record<ExitRule, number | null>>;
}

/** One week of a walk-forward. */
export interface WalkWeek {
  readonly fromMs: number;
  readonly toMs: number;
  /** The variant that was best before, by its number; null if none had enough hits: then the first. */
  readonly chosen: number | null;
  readonly hits: number;
}

export interface WalkForward {
  readonly weeks: readonly WalkWeek[];
  /** Over all tested weeks, as `DelayedExecution` of the judged exit rule and ticket. */
  readonly result: DelayedExecution;
}

/** How many tries the result was charged for. */
export interface ChargedTries {
  readonly count: number;
  /** Probability that the true Sharpe ratio of the hits is above luck; null if too few to say. */
  readonly deflatedSharpe: number | null;
}

/** A feature whose value is another when the log ends with the hit's minute. */
export interface LookAheadFault {
  readonly feature: string;
  readonly hit: BacktestHit;
  /** As the backtest had it, and as the cut log gives it; null is unknown. */
  readonly recorded: string | null;
  readonly cut: string | null;
}

export interface LookAheadReport {
  /** Number of hits at which the log was cut. */
  readonly checked: number;
  readonly faults: readonly LookAheadFault[];
}

/** What a rule would have been worth. */
export interface BacktestReport {
  /** `name@version+hash` of the rule, or of each variant. */
  readonly rules: readonly string[];
  readonly options: BacktestOptions;
  /** First and last slot of the log that were applied in the range; null if there was none. */
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
  /** Minutes of pools that were judged, under no veto. */
  readonly minutes: number;
  /** Of the first variant, with its cool-down. */
  readonly hits: number;
  readonly hitMints: number;
  /** Minutes that were drawn for comparison. */
  readonly controls: number;
  readonly delays: readonly DelayReport[];
  readonly tries: ChargedTries;
  /** Null for a rule without variants, or a range of less than three weeks. */
  readonly walkForward: WalkForward | null;
  /** Null while it was not asked for. */
  readonly lookAhead: LookAheadReport | null;
}

import type { Clock } from '../../lib/clock.ts';
import type { RowChange, SharedTables } from '../../model/shared-rows.ts';
import type { StepLog } from '../step-log.ts';

/** Where the consequences of a stored change are drawn. `store` stores it and says what changed. */
export type ApplyRows = (changes: readonly RowChange[], store: () => readonly RowChange[]) => void;

export interface ControlTiming {
  /** A write that the servers did not acknowledge for this long is refused. */
  readonly writeMs: number;
  /** The longest that an answer waits until its change counts. */
  readonly effectMs: number;
  readonly retryMs: number;
  /** Between looks for what other processes changed in the folder. */
  readonly shareMs: number;
}

export const CONTROL_TIMING: ControlTiming = {
  writeMs: 5_000,
  effectMs: 3_000,
  retryMs: 200,
  shareMs: 1_000,
};

export interface ControlReplicaOptions {
  /** Awaited, so that a service can answer while no server does. */
  readonly log: StepLog | Promise<StepLog>;
  readonly tables: SharedTables;
  /** Name of the log in messages. */
  readonly name: string;
  readonly writer: string;
  readonly clock: Clock;
  readonly timing?: Partial<ControlTiming>;
  /** Called once with a sentence, after which nothing more of the log is stored. */
  readonly onStopped: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** How far a replica is in the log of shared changes. Counts are since the start. */
export interface ControlStatus {
  /** Sequence of the last change that was read; keys of it are stored. */
  readonly receivedSeq: number;
  /** Sequence of the last change that is stored as a whole. */
  readonly appliedSeq: number;
  readonly written: number;
  /** Attempts that were refused because another replica had written first. */
  readonly refused: number;
}

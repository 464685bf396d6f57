import type { Slot } from './units.ts';

/** The memory of a state, and its bounds. Infinite bounds: nothing is evicted. */
export interface StateMemoryUse {
  readonly pageBytes: number;
  readonly pageBytesMax: number;
  /** Approximate, as of some slots ago; 0 without a bound. */
  readonly objectBytes: number;
  readonly objectBytesMax: number;
  /** Pages that left memory, and that were read back, since the state was opened. */
  readonly evictedPages: number;
  readonly loadedPages: number;
  /** The index of the records on disk, beside the bounds. */
  readonly indexBytes: number;
}

/** The stored checkpoints of a state. */
export interface StateCheckpointStatus {
  /** The newest one; null before the first. */
  readonly newest: { readonly slot: Slot; readonly timeMs: number } | null;
  /** How many can be opened. */
  readonly count: number;
  /** All files of the state, as of the newest checkpoint or the start. */
  readonly fileBytes: number;
  /** From the begin of the newest checkpoint until it was valid; null before one of this run. */
  readonly durationMs: number | null;
  /** Whether the next one is written and only its commit is missing. */
  readonly isNextWritten: boolean;
  /** Checkpoints that could not be stored since the state was opened. */
  readonly failures: number;
}

/** Where a state is: in memory and on disk. */
export interface StateStatus {
  readonly memory: StateMemoryUse;
  readonly checkpoints: StateCheckpointStatus;
}

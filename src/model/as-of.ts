import type { Slot } from './units.ts';

/** Data and the slot that all of it is as of. */
export interface AsOf<Data> {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot in milliseconds; null if unknown. */
  readonly timeMs: number | null;
  readonly data: Data;
}

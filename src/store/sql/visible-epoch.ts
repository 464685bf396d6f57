import type { Slot } from '../../model/units.ts';

/**
 * The epoch whose rows are returned. Rows of a new epoch stay invisible while it is written; once
 * it is complete the cursor moves to it and every read uses it.
 */
export interface VisibleEpoch {
  readonly epoch: number;
}

/** The epoch whose rows are returned, and the slot up to which they are complete. */
export interface VisibleRows extends VisibleEpoch {
  readonly slot: Slot | null;
}

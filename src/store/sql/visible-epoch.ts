import type { Slot } from '../../model/units.ts';

/**
 * The fold whose rows are answers. While another epoch is being written its rows stay unseen; once
 * it is complete the cursor moves and every read follows.
 */
export interface VisibleEpoch {
  readonly epoch: number;
}

/** The fold whose rows are answers, and how far they go. */
export interface VisibleRows extends VisibleEpoch {
  readonly slot: Slot | null;
}

/**
 * The fold whose rows are answers. While another epoch is being written its rows stay unseen; once
 * it is complete the cursor moves and every read follows.
 */
export interface VisibleEpoch {
  readonly epoch: number;
}

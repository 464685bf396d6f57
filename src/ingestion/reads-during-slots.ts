import type { SlotRead } from '../engine/undo-slots.ts';

/** Reads that may arrive while a slot is applied, which takes milliseconds on the same thread. */
export interface ReadsDuringSlots {
  /** Whether some are likely, so that final slots are applied in such a way that they can be read. */
  readonly areLikely: boolean;
  /**
   * Answers reads that have arrived, each by `read`, which runs it with the state of the last slot
   * that was applied completely. Called at each pause of a slot: mostly there is nothing to do.
   */
  answer(read: SlotRead): void;
}

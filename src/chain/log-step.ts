import type { Slot } from '../model/units.ts';

/** One step of the log that blocks are put into. */
export type LogStep<Block> =
  /** Of a slot after all others, or late: of a slot that was named missing and is final. */
  | { readonly kind: 'block'; readonly block: Block }
  /** What came after this slot never was: blocks, and slots named missing. */
  | { readonly kind: 'undo'; readonly toSlot: Slot; readonly toBlockhash: string }
  /**
   * Said of final slots alone: what was told of them was of a branch that lost, as the late block that
   * comes next proves. They are missing until it or the next `skipped` says more.
   */
  | { readonly kind: 'dropped'; readonly from: Slot; readonly to: Slot }
  /** Said of final slots alone. */
  | { readonly kind: 'skipped'; readonly from: Slot; readonly to: Slot }
  | {
      readonly kind: 'missing';
      readonly from: Slot;
      readonly to: Slot;
      readonly reason: string;
    }
  | { readonly kind: 'final'; readonly slot: Slot };

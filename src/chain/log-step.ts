import type { Slot } from '../model/units.ts';

/** One step of the block log. */
export type LogStep<Block> =
  /** The next block, or a late one in a final slot that was reported missing. */
  | { readonly kind: 'block'; readonly block: Block }
  /** Everything after this slot is void: blocks, and slots reported missing. */
  | { readonly kind: 'undo'; readonly toSlot: Slot; readonly toBlockhash: string }
  /**
   * Final slots only: what was reported for them belongs to a losing branch, as the late block that
   * follows proves. They are missing until that block or the next `skipped` says otherwise.
   */
  | { readonly kind: 'dropped'; readonly from: Slot; readonly to: Slot }
  /** Final slots only. */
  | { readonly kind: 'skipped'; readonly from: Slot; readonly to: Slot }
  | {
      readonly kind: 'missing';
      readonly from: Slot;
      readonly to: Slot;
      readonly reason: string;
    }
  | { readonly kind: 'final'; readonly slot: Slot };

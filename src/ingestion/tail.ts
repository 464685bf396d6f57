import { ChainError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';
import type { Fold, FoldedSlot } from './fold.ts';
import { blockhashOf, type SlotItem, slotOf } from './late-facts.ts';

/** Reverts the slots after `slot`, and returns them newest first. */
export async function revertTo(fold: Fold, slot: number): Promise<FoldedSlot[]> {
  const taken: FoldedSlot[] = [];
  while ((fold.tailSlots.at(-1)?.facts.slot ?? -1) > slot) {
    const folded = await fold.revert();
    if (folded !== null) taken.push(folded);
  }
  return taken;
}

/**
 * Reverts to a block, and returns the reverted slots, newest first. Rejects with ChainError if that
 * would revert a final slot, before anything is changed, or if the history does not end at that
 * block afterwards.
 */
export async function undoTo(fold: Fold, toSlot: Slot, toBlockhash: string): Promise<FoldedSlot[]> {
  const { finalEnd } = fold;
  if (finalEnd !== null && toSlot < finalEnd.slot) {
    throw new ChainError(
      `The source reverts slots after ${toSlot}, but everything up to ${finalEnd.slot} is ` +
        'final and stored: the chain forked deeper than finality, or the source is wrong. ' +
        'Compare with another source; to go on from the other branch, replay into an empty folder.',
    );
  }
  const taken = await revertTo(fold, toSlot);
  const { end } = fold;
  if (end === null || (end.slot === toSlot && (end.blockhash ?? toBlockhash) === toBlockhash)) {
    return taken;
  }
  throw new ChainError(
    `The source goes back to slot ${toSlot} (${toBlockhash}), but the stored history ends at ` +
      `slot ${end.slot} (${end.blockhash}).`,
  );
}

/**
 * Whether the tail already contains the block. Throws ChainError if it contains another block of
 * the slot, which the source did not revert.
 */
export function isInTail(fold: Fold, item: SlotItem): boolean {
  const slot = slotOf(item);
  const held = fold.tailSlots.find(({ facts }) => facts.slot === slot)?.facts;
  if (held === undefined) return false;
  if (held.blockhash === blockhashOf(item)) return true;
  throw new ChainError(
    `The source delivered two blocks of slot ${slot} and reverted neither: ${held.blockhash} and ` +
      `${blockhashOf(item)}.`,
  );
}

/** Folds a slot at its position in the tail: later slots are reverted and folded again after it. */
export async function insertIntoTail(fold: Fold, facts: SlotFacts): Promise<FoldedSlot> {
  const later = await revertTo(fold, facts.slot);
  const inserted = await fold.addTail(facts);
  for (const { facts: after } of later.reverse()) await fold.addTail(after);
  return inserted;
}

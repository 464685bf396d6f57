import { ChainError } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Slot } from '../model/units.ts';
import type { Fold, FoldedSlot } from './fold.ts';
import { blockhashOf, type SlotItem, slotOf } from './late-facts.ts';

/** Takes the slots after `slot` back, and returns them newest first. */
export function takeBackTo(fold: Fold, slot: number): FoldedSlot[] {
  const taken: FoldedSlot[] = [];
  while ((fold.tailSlots.at(-1)?.facts.slot ?? -1) > slot) {
    const folded = fold.takeBack();
    if (folded !== null) taken.push(folded);
  }
  return taken;
}

/**
 * Goes back to a block, and returns the slots that were taken back, newest first. Throws ChainError
 * when that would take back what is final, before anything is changed, or when the history does not
 * end at that block afterwards.
 */
export function undoTo(fold: Fold, toSlot: Slot, toBlockhash: string): FoldedSlot[] {
  const { finalEnd } = fold;
  if (finalEnd !== null && toSlot < finalEnd.slot) {
    throw new ChainError(
      `The source takes back slots after ${toSlot}, but everything up to ${finalEnd.slot} is ` +
        'final and stored: the chain forked deeper than finality, or the source is wrong. ' +
        'Compare with another source; to go on from the other branch, replay into an empty folder.',
    );
  }
  const taken = takeBackTo(fold, toSlot);
  const { end } = fold;
  if (end === null || (end.slot === toSlot && (end.blockhash ?? toBlockhash) === toBlockhash)) {
    return taken;
  }
  throw new ChainError(
    `The source goes back to slot ${toSlot} (${toBlockhash}), but the history held ends at ` +
      `slot ${end.slot} (${end.blockhash}).`,
  );
}

/**
 * Whether the tail holds the block already. Throws ChainError when it holds another one of the slot,
 * which the source did not take back.
 */
export function isInTail(fold: Fold, item: SlotItem): boolean {
  const slot = slotOf(item);
  const held = fold.tailSlots.find(({ facts }) => facts.slot === slot)?.facts;
  if (held === undefined) return false;
  if (held.blockhash === blockhashOf(item)) return true;
  throw new ChainError(
    `The source gave two blocks of slot ${slot} and took neither back: ${held.blockhash} and ` +
      `${blockhashOf(item)}.`,
  );
}

/** Folds a slot in its place in the tail: those after it are taken back and folded behind it. */
export function insertIntoTail(fold: Fold, facts: SlotFacts): FoldedSlot {
  const later = takeBackTo(fold, facts.slot);
  const inserted = fold.addTail(facts);
  for (const { facts: after } of later.reverse()) fold.addTail(after);
  return inserted;
}

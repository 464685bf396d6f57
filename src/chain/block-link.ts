import type { Slot } from '../model/units.ts';

/**
 * Identifies a block by slot and hash, because an equivocating leader makes two blocks of one slot.
 */
export interface ChainPoint {
  readonly slot: Slot;
  readonly blockhash: string;
}

/** A block with the link to its parent. */
export interface BlockLink extends ChainPoint {
  readonly parentSlot: Slot;
  readonly previousBlockhash: string;
}

export function parentOf({ parentSlot, previousBlockhash }: BlockLink): ChainPoint {
  return { slot: parentSlot, blockhash: previousBlockhash };
}

export function isSamePoint(one: ChainPoint, other: ChainPoint): boolean {
  return one.slot === other.slot && one.blockhash === other.blockhash;
}

/** Key of a point in maps. */
export function keyOf({ slot, blockhash }: ChainPoint): string {
  return `${slot} ${blockhash}`;
}

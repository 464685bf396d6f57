import type { Slot } from '../model/units.ts';

/** A block named for sure: equivocating leaders make two blocks of one slot. */
export interface ChainPoint {
  readonly slot: Slot;
  readonly blockhash: string;
}

/** A block's place in the chain. */
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

/** Text that names a point in maps. */
export function keyOf({ slot, blockhash }: ChainPoint): string {
  return `${slot} ${blockhash}`;
}

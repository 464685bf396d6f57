import type { Address, Slot } from '../../model/units.ts';
import type { Books } from './books.ts';

/**
 * The slot in which a mint became tradable: the creation slot of its first pool (METHODS §0.8).
 * Null when the indexed history does not include the creation of the mint, because the first pool
 * it shows may then not be the mint's first pool.
 */
export function launchSlotOf({ tokens, pools }: Books, mint: Address): Slot | null {
  if ((tokens.get(mint)?.creationSlot ?? null) === null) return null;
  let launchSlot: Slot | null = null;
  for (const { createdSlot } of pools.ofMint(mint)) {
    if (createdSlot === null) return null;
    if (launchSlot === null || createdSlot < launchSlot) launchSlot = createdSlot;
  }
  return launchSlot;
}

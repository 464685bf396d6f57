import type { Address, Slot } from '../../model/units.ts';
import type { Books } from './books.ts';

/**
 * The slot from which a mint could be traded: that of its first pool (METHODS §0.8). Null where the
 * held history does not know the mint from its creation on, since then a pool that it sees come may
 * not be the first.
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

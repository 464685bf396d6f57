import { asSlot, isSlot, type Slot } from '../../model/units.ts';
import type { FoundRecord } from './find-records.ts';

/** A number in a file name counts as the slot only within this distance of the block's parent. */
const SKIPPED_MAX = 1_000;

/**
 * The slot of a record. A block's answer carries none: then a plausible number in the file name,
 * else the slot after its parent. Null if it cannot be determined.
 */
export function slotOfRecord({ kind, value }: FoundRecord, fileName: string): Slot | null {
  const own = slotOrNull(value.slot);
  if (own !== null || kind === 'transaction') return own;
  const parentSlot = slotOrNull(value.parentSlot);
  if (parentSlot === null) return null;
  for (const digits of fileName.match(/\d{6,}/g) ?? []) {
    const slot = Number(digits);
    if (slot > parentSlot && slot <= parentSlot + SKIPPED_MAX) return asSlot(slot);
  }
  return slotOrNull(parentSlot + 1);
}

/** Some writers turn 64-bit integers into text. */
function slotOrNull(value: unknown): Slot | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return isSlot(number) ? number : null;
}

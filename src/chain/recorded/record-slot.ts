import type { Slot } from '../../model/units.ts';
import type { FoundRecord } from './find-records.ts';

/** A number in a file name counts as the slot only within this distance of the block's parent. */
const SKIPPED_MAX = 1_000;

/**
 * The slot of a record. A block's answer carries none: then a plausible number in the file name,
 * else the slot after its parent. Null if it cannot be determined.
 */
export function slotOfRecord({ kind, value }: FoundRecord, fileName: string): Slot | null {
  const own = wholeNumber(value.slot);
  if (own !== null || kind === 'transaction') return own as Slot | null;
  const parentSlot = wholeNumber(value.parentSlot);
  if (parentSlot === null) return null;
  for (const digits of fileName.match(/\d{6,}/g) ?? []) {
    const slot = Number(digits);
    if (slot > parentSlot && slot <= parentSlot + SKIPPED_MAX) return slot as Slot;
  }
  return (parentSlot + 1) as Slot;
}

/** Some writers turn 64-bit integers into text. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

import { count, countOrNull, type JsonObject } from '../rpc-json/json-value.ts';

/** Blocks are at most this many skipped slots behind a slot that a file name can mean. */
const SKIPPED_MAX = 1_000;

/**
 * The slot of a block answer, which carries none: its own word if a wrapper gave one, else a number
 * in the file name that can be it, else the slot after its parent. Null when nothing tells. Throws
 * RecordRefusal for a slot that is no number.
 */
export function slotOfBlock(block: JsonObject, fileName: string): number | null {
  const own = countOrNull(block.slot, 'slot');
  if (own !== null) return own;
  if (block.parentSlot === undefined || block.parentSlot === null) return null;
  const parentSlot = count(block.parentSlot, 'parentSlot');
  for (const digits of fileName.match(/\d{6,}/g) ?? []) {
    const slot = Number(digits);
    if (slot > parentSlot && slot <= parentSlot + SKIPPED_MAX) return slot;
  }
  return parentSlot + 1;
}

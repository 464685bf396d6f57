import type { SlotGap } from '../model/slot-range.ts';
import type { GapChange } from './messages.ts';

/** Difference between two gap lists; null if there is none. Gaps change at the newest end. */
export function gapChange(before: readonly SlotGap[], now: readonly SlotGap[]): GapChange | null {
  let kept = 0;
  while (kept < before.length && kept < now.length && isSame(before[kept], now[kept])) kept++;
  if (kept === before.length && kept === now.length) return null;
  return { kept, added: now.slice(kept) };
}

/** Compares only what determines whether a response overlaps the gap. */
function isSame(one: SlotGap | undefined, other: SlotGap | undefined): boolean {
  if (one === other) return true;
  return (
    one?.from === other?.from &&
    one?.to === other?.to &&
    one?.afterMs === other?.afterMs &&
    one?.beforeMs === other?.beforeMs
  );
}

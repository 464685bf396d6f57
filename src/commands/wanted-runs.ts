import type { Slot } from '../model/units.ts';
import type { SlotRange } from '../store/control/slot-ranges.ts';
import type { RequestedRange } from './slot-range-option.ts';

/** How many slots of a range are in which state. */
export interface RangeCounts {
  held: number;
  skipped: number;
  /** Asked for and not got. */
  missing: number;
  /** Never heard of. */
  unknown: number;
}

/**
 * The parts of a range that are neither held nor proven skipped. `known` is what the ledger says,
 * ascending and apart from each other; it may reach beyond the range.
 */
export function wantedRuns(range: RequestedRange, known: readonly SlotRange[]): RequestedRange[] {
  const runs: RequestedRange[] = [];
  let next: number = range.from;
  const wantUpTo = (end: number) => {
    const to = Math.min(end, range.to);
    if (next <= to) runs.push({ from: next as Slot, to: to as Slot });
  };
  for (const { from, to, state } of known) {
    if (state === 'missing') continue;
    wantUpTo(from - 1);
    next = Math.max(next, to + 1);
  }
  wantUpTo(range.to);
  return runs;
}

/** Counts the slots of a range by what the ledger says of them. */
export function countRange(range: RequestedRange, known: readonly SlotRange[]): RangeCounts {
  const counts = { held: 0, skipped: 0, missing: 0, unknown: range.to - range.from + 1 };
  for (const { from, to, state } of known) {
    const slots = Math.min(to, range.to) - Math.max(from, range.from) + 1;
    if (slots <= 0) continue;
    counts[state] += slots;
    counts.unknown -= slots;
  }
  return counts;
}

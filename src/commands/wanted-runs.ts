import { asSlot } from '../model/units.ts';
import type { SlotRange } from '../store/control/slot-ranges.ts';
import type { RequestedRange } from './slot-range-option.ts';

/** Number of slots of a range by state. */
export interface RangeCounts {
  held: number;
  skipped: number;
  /** Requested, but not available. */
  missing: number;
  /** Never requested. */
  unknown: number;
}

/**
 * The parts of a range that are neither stored nor proven to have no block. `known` contains the
 * states in the ledger, ascending and without overlaps; it may exceed the range.
 */
export function wantedRuns(range: RequestedRange, known: readonly SlotRange[]): RequestedRange[] {
  const runs: RequestedRange[] = [];
  let next: number = range.from;
  const wantUpTo = (end: number) => {
    const to = Math.min(end, range.to);
    if (next <= to) runs.push({ from: asSlot(next), to: asSlot(to) });
  };
  for (const { from, to, state } of known) {
    if (state === 'missing') continue;
    wantUpTo(from - 1);
    next = Math.max(next, to + 1);
  }
  wantUpTo(range.to);
  return runs;
}

/** Counts the slots of a range by their state in the ledger. */
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

import type { Slot } from './units.ts';

/** What is known of a slot: its block is stored, the chain proves there is none, or nobody gave it. */
export type SlotState = 'held' | 'skipped' | 'missing';

/** Slots in a row, both ends included. */
export interface SlotRun {
  readonly from: Slot;
  readonly to: Slot;
}

/** Slots that nobody could give, named until they come or are proven skipped. Both ends included. */
export interface SlotGap {
  readonly from: Slot;
  readonly to: Slot;
  /** In words, for people. */
  readonly reason: string;
  /** Wall clock when it was named first. */
  readonly sinceMs: number;
  /** How often a source gave up on it; 0 for a hole that only the next block's parent tells of. */
  readonly tries: number;
  /** Chain times of the slots around it: what happened in it lies between. Null while not known. */
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/**
 * Something learned about a run of slots, both ends included. Held wins over skipped, skipped over
 * missing: a block that exists is never called skipped, and what came is never called missing, unless
 * a later block raises a doubt or disproves it.
 */
export type SlotMark =
  | { readonly state: 'held' | 'skipped'; readonly from: Slot; readonly to: Slot }
  | MissingMark;

export interface MissingMark extends SlotGap {
  readonly state: 'missing';
  /** The slots are stored, but a later block says that its branch has others there, or none. */
  readonly isSuspected: boolean;
  /** What was told of the slots was of a branch that lost: not even which are skipped is known. */
  readonly isDisproof?: true;
}

/** The gaps' parts within a run of slots. */
export function gapsWithin(gaps: readonly SlotGap[], { from, to }: SlotRun): SlotRun[] {
  const parts: SlotRun[] = [];
  for (let index = firstGapFrom(gaps, from); index < gaps.length; index++) {
    const gap = gaps[index];
    if (gap === undefined || gap.from > to || from > to) break;
    parts.push({ from: Math.max(gap.from, from) as Slot, to: Math.min(gap.to, to) as Slot });
  }
  return parts;
}

/** The part of history that an answer speaks of. Ends left out are open; times are exclusive above. */
export interface AnswerRange {
  readonly fromSlot?: Slot | null;
  readonly toSlot?: Slot | null;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Whether any of the gaps, ascending and apart from each other, may touch what an answer speaks of. */
export function touchesGap(gaps: readonly SlotGap[], range: AnswerRange): boolean {
  const { fromSlot, toSlot, fromMs, toMs } = range;
  for (let index = firstGapFrom(gaps, fromSlot ?? 0); index < gaps.length; index++) {
    const gap = gaps[index];
    if (gap === undefined || gap.from > (toSlot ?? Number.POSITIVE_INFINITY)) return false;
    const isBefore = fromMs !== undefined && gap.beforeMs !== null && gap.beforeMs < fromMs;
    const isAfter = toMs !== undefined && gap.afterMs !== null && gap.afterMs >= toMs;
    if (!isBefore && !isAfter) return true;
  }
  return false;
}

/** Index of the first gap that ends at `slot` or later; how many there are when none does. */
export function firstGapFrom(gaps: readonly SlotGap[], slot: number): number {
  let low = 0;
  let high = gaps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((gaps[middle]?.to ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

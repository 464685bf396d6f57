import { asSlot, type Slot } from './units.ts';

/**
 * State of a slot: its block is stored, the chain proves that it has none, or no source provided
 * it.
 */
export type SlotState = 'held' | 'skipped' | 'missing';

/** A range of consecutive slots, both ends included. */
export interface SlotRun {
  readonly from: Slot;
  readonly to: Slot;
}

/**
 * Slots that no source could provide, listed until they arrive or are proven skipped. Both ends
 * included.
 */
export interface SlotGap {
  readonly from: Slot;
  readonly to: Slot;
  /** A text for human readers. */
  readonly reason: string;
  /** Wall-clock time when the gap was first recorded. */
  readonly sinceMs: number;
  /**
   * Number of times a source gave up on it; 0 for a gap known only from the parent of the next
   * block.
   */
  readonly tries: number;
  /**
   * Chain times of the slots before and after the gap, which bound what happened in it. Null while
   * unknown.
   */
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/**
 * New information about a range of slots, both ends included. Held takes precedence over skipped,
 * and skipped over missing: an existing block is never marked skipped, and a slot that arrived is
 * never marked missing, unless a later block casts doubt on it or disproves it.
 */
export type SlotMark =
  | { readonly state: 'held' | 'skipped'; readonly from: Slot; readonly to: Slot }
  | MissingMark;

export interface MissingMark extends SlotGap {
  readonly state: 'missing';
  /**
   * The slots are stored, but according to a later block its branch has other blocks there, or
   * none.
   */
  readonly isSuspected: boolean;
  /**
   * Earlier information on the slots came from a branch that lost, so even which of them are
   * skipped is unknown.
   */
  readonly isDisproof?: true;
}

/** The parts of the gaps that lie within a range of slots. */
export function gapsWithin(gaps: readonly SlotGap[], { from, to }: SlotRun): SlotRun[] {
  const parts: SlotRun[] = [];
  for (let index = firstGapFrom(gaps, from); index < gaps.length; index++) {
    const gap = gaps[index];
    if (gap === undefined || gap.from > to || from > to) break;
    parts.push({ from: asSlot(Math.max(gap.from, from)), to: asSlot(Math.min(gap.to, to)) });
  }
  return parts;
}

/** The part of history that an answer covers. Omitted ends are open; `toMs` is exclusive. */
export interface AnswerRange {
  readonly fromSlot?: Slot | null;
  readonly toSlot?: Slot | null;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** The answer is read from stored rows, which are ahead of the state in memory after a start. */
  readonly isStored?: boolean;
}

/** A slot that is stored, and its time in milliseconds; null if that is unknown. */
export interface StoredPoint {
  readonly slot: Slot;
  readonly timeMs: number | null;
}

/** Whether any of the gaps (ascending and disjoint) may overlap the range that an answer covers. */
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

/** Index of the first gap that ends at `slot` or later; the number of gaps when there is none. */
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

import type { SlotGap, SlotMark, SlotState } from '../../model/slot-range.ts';
import { asSlot, type Slot } from '../../model/units.ts';

/** Consecutive slots of one state, both ends included. Gap fields are null for other states. */
export interface SlotRange {
  readonly from: Slot;
  readonly to: Slot;
  readonly state: SlotState;
  readonly reason: string | null;
  readonly sinceMs: number | null;
  readonly tries: number;
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/**
 * The ranges after a mark. `known` is ascending and disjoint; the result covers the same slots and
 * those of the mark, with equal adjacent ranges joined.
 */
export function withMark(known: readonly SlotRange[], mark: SlotMark): SlotRange[] {
  const pieces: SlotRange[] = [];
  let next: number = mark.from;
  for (const range of known) {
    if (range.from > next && next <= mark.to) {
      pieces.push(fresh(mark, next, Math.min(range.from - 1, mark.to)));
    }
    pieces.push(...cut(range, mark));
    next = Math.max(next, range.to + 1);
  }
  if (next <= mark.to) pieces.push(fresh(mark, next, mark.to));
  return joined(pieces);
}

/** Splits a known range and applies the mark to the part that it covers. */
function cut(range: SlotRange, mark: SlotMark): SlotRange[] {
  const from = Math.max(range.from, mark.from);
  const to = Math.min(range.to, mark.to);
  if (from > to) return [range];
  const pieces = [part(changed(range, mark), from, to)];
  if (range.from < from) pieces.unshift(part(range, range.from, from - 1));
  if (range.to > to) pieces.push(part(range, to + 1, range.to));
  return pieces;
}

function changed(range: SlotRange, mark: SlotMark): SlotRange {
  if (mark.state !== 'missing') {
    return mark.state === 'skipped' && range.state === 'held' ? range : { ...PLAIN, ...mark };
  }
  if (range.state === 'missing') return retried(range, mark);
  const isOverruled = mark.isDisproof === true || (range.state === 'held' && mark.isSuspected);
  return isOverruled ? fresh(mark, mark.from, mark.to) : range;
}

/** A missing range that was marked missing again: keeps its first time, adds the new details. */
function retried(range: SlotRange, mark: Extract<SlotMark, { state: 'missing' }>): SlotRange {
  return {
    ...range,
    reason: mark.tries > 0 || range.reason === null ? mark.reason : range.reason,
    tries: range.tries + mark.tries,
    afterMs: range.afterMs ?? mark.afterMs,
    beforeMs: range.beforeMs ?? mark.beforeMs,
  };
}

const PLAIN = { reason: null, sinceMs: null, tries: 0, afterMs: null, beforeMs: null };

function fresh(mark: SlotMark, from: number, to: number): SlotRange {
  if (mark.state !== 'missing') return part({ ...PLAIN, ...mark }, from, to);
  const { isSuspected, isDisproof, ...range } = mark;
  return part(range, from, to);
}

function part(range: SlotRange, from: number, to: number): SlotRange {
  return { ...range, from: asSlot(from), to: asSlot(to) };
}

function joined(pieces: readonly SlotRange[]): SlotRange[] {
  const ranges: SlotRange[] = [];
  for (const piece of pieces) {
    const last = ranges.at(-1);
    if (last !== undefined && isContinuation(last, piece)) {
      ranges[ranges.length - 1] = { ...last, to: piece.to };
    } else ranges.push(piece);
  }
  return ranges;
}

function isContinuation(one: SlotRange, next: SlotRange): boolean {
  return (
    one.to + 1 === next.from &&
    one.state === next.state &&
    one.reason === next.reason &&
    one.sinceMs === next.sinceMs &&
    one.tries === next.tries &&
    one.afterMs === next.afterMs &&
    one.beforeMs === next.beforeMs
  );
}

/**
 * The same marks, with consecutive marks of held slots joined when one continues where the other
 * ends.
 */
export function joinMarks(marks: readonly SlotMark[]): SlotMark[] {
  const fewer: SlotMark[] = [];
  for (const mark of marks) {
    const last = fewer.at(-1);
    if (last?.state === 'held' && mark.state === 'held' && last.to + 1 === mark.from) {
      fewer[fewer.length - 1] = { ...last, to: mark.to };
    } else fewer.push(mark);
  }
  return fewer;
}

/** The public form of a range of missing slots. */
export function toGap({ from, to, reason, sinceMs, tries, afterMs, beforeMs }: SlotRange): SlotGap {
  return { from, to, reason: reason ?? '', sinceMs: sinceMs ?? 0, tries, afterMs, beforeMs };
}

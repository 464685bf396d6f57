import type { SlotGap, SlotMark } from '../model/slot-range.ts';
import { asSlot } from '../model/units.ts';
import type { GapLedger } from '../store/control/gap-ledger.ts';
import { type SlotRange, toGap, withMark } from '../store/control/slot-ranges.ts';

/** The part of the ledger needed for gaps. */
export type LedgerReads = Pick<GapLedger, 'gaps' | 'ranges'>;

/** The gaps of the ledger after adding `pending`. */
export function gapsWith(ledger: LedgerReads, pending: readonly SlotMark[]): readonly SlotGap[] {
  if (!pending.some(({ state }) => state === 'missing')) return ledger.gaps;
  const from = asSlot(Math.min(...pending.map((mark) => mark.from)));
  const to = asSlot(Math.max(...pending.map((mark) => mark.to)));
  let ranges = ledger.ranges(from, to);
  const first = Math.min(from, ranges[0]?.from ?? from);
  const last = Math.max(to, ranges.at(-1)?.to ?? to);
  for (const mark of pending) ranges = spliced(ranges, mark);
  return [
    ...ledger.gaps.filter((gap) => gap.to < first),
    ...ranges.filter(({ state }) => state === 'missing').map(toGap),
    ...ledger.gaps.filter((gap) => gap.from > last),
  ];
}

/** Applies `withMark` to the part of the ranges adjacent to the mark. */
function spliced(ranges: readonly SlotRange[], mark: SlotMark): SlotRange[] {
  const begin = ranges.findIndex(({ to }) => to >= mark.from - 1);
  if (begin < 0) return [...ranges, ...withMark([], mark)];
  const behind = ranges.findIndex(({ from }) => from > mark.to + 1);
  const end = behind < 0 ? ranges.length : behind;
  return ranges.toSpliced(begin, end - begin, ...withMark(ranges.slice(begin, end), mark));
}

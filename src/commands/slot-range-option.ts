import { UsageError } from '../model/errors.ts';
import { asSlot, type Slot } from '../model/units.ts';

/** A range of slots, both ends inclusive. */
export interface RequestedRange {
  readonly from: Slot;
  readonly to: Slot;
}

/** Parses `--from` and `--to`. Throws UsageError naming the invalid option. */
export function requestedRange(from: string | undefined, to: string | undefined): RequestedRange {
  const range = { from: slotOption('--from', from), to: slotOption('--to', to) };
  if (range.from <= range.to) return range;
  throw new UsageError(`--from ${range.from} is after --to ${range.to}: swap them.`);
}

function slotOption(option: string, text: string | undefined): Slot {
  if (text === undefined) throw new UsageError(`${option} is required: a slot number.`);
  if (/^\d{1,15}$/.test(text)) return asSlot(Number(text));
  throw new UsageError(`${option} takes a slot number, not "${text.slice(0, 40)}".`);
}

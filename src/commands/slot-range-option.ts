import { UsageError } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';

/** Slots from one to another, both included. */
export interface RequestedRange {
  readonly from: Slot;
  readonly to: Slot;
}

/** Reads `--from` and `--to`. Throws UsageError naming the option. */
export function requestedRange(from: string | undefined, to: string | undefined): RequestedRange {
  const range = { from: slotOption('--from', from), to: slotOption('--to', to) };
  if (range.from <= range.to) return range;
  throw new UsageError(`--from ${range.from} is after --to ${range.to}: exchange them.`);
}

function slotOption(option: string, text: string | undefined): Slot {
  if (text === undefined) throw new UsageError(`${option} is needed: a slot number.`);
  if (/^\d{1,15}$/.test(text)) return Number(text) as Slot;
  throw new UsageError(`${option} takes a slot number, not "${text.slice(0, 40)}".`);
}

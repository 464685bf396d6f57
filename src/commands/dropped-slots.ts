import type { Ingestion } from '../ingestion/ingestion.ts';
import { UsageError } from '../model/errors.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { KnownLogStart } from '../store/log-start.ts';
import type { RequestedRange } from './slot-range-option.ts';

/** Throws UsageError if slots of a range were dropped from the log. */
export function assertInLog({ from }: RequestedRange, { slot }: KnownLogStart): void {
  if (slot === null || from >= slot) return;
  throw new UsageError(
    `Slots before ${slot} were dropped from the log of this folder (--log-retention): name --from ` +
      `${slot} or later.`,
  );
}

/**
 * Throws UsageError if slots to be added are before those that can change. `runs` are ascending.
 */
export function assertChangeable(
  runs: readonly RequestedRange[],
  { firstChangeable: first, logStart }: Pick<Ingestion, 'firstChangeable' | 'logStart'>,
): void {
  const [wanted] = runs;
  if (first === null || wanted === undefined || wanted.from >= first) return;
  throw new UsageError(
    `Slot ${wanted.from} can no longer be added: slots before ${logStart} were dropped from the log ` +
      `of this folder (--log-retention), and only slots from ${first} on, after the oldest stored ` +
      `state, can change. Name --from ${first} or later, or fill another folder.`,
  );
}

/** The gaps that can still be filled: no source is asked for the others any more. */
export function changeableGaps({
  gaps,
  firstChangeable: first,
}: Pick<Ingestion, 'gaps' | 'firstChangeable'>): readonly SlotGap[] {
  return first === null ? gaps : gaps.filter(({ to }) => to >= first);
}

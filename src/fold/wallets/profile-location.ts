import { STANDING } from './features/wallet-row.ts';

/** Second keys of the index: the row of a profile in memory, and the flags of a spilled profile. */
export const RESIDENT = 0;
export const SPILLED = 1;
/** Flags of a spilled profile that are kept in the index, to avoid fetching the profile. */
export const SPILLED_BOT = 1;
export const SPILLED_OTHER_ACTIVITY = 2;

/** The index flags of a spilled profile, from the `standing` field of its row. */
export function spilledMark(standing: number): number {
  return (
    ((standing & STANDING.bot) === 0 ? 0 : SPILLED_BOT) |
    ((standing & STANDING.otherActivity) === 0 ? 0 : SPILLED_OTHER_ACTIVITY)
  );
}

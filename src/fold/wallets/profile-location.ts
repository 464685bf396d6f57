import { STANDING } from './features/wallet-row.ts';

/** Second numbers of the pairs in the index: a row in memory, and a profile that was spilled. */
export const RESIDENT = 0;
export const SPILLED = 1;
/** What the index says of a spilled profile, so that it need not be fetched to be asked. */
export const SPILLED_BOT = 1;
export const SPILLED_OTHER_ACTIVITY = 2;

/** What the index is to say of a profile that is spilled, by the standing in its row. */
export function spilledMark(standing: number): number {
  return (
    ((standing & STANDING.bot) === 0 ? 0 : SPILLED_BOT) |
    ((standing & STANDING.otherActivity) === 0 ? 0 : SPILLED_OTHER_ACTIVITY)
  );
}

import type { BotRule } from './bot-rule.ts';
import { noSleep } from './no-sleep.ts';
import { sameSlotPairs } from './same-slot-pairs.ts';
import { sameTransactionRoundTrips } from './same-transaction-round-trips.ts';
import { sandwichPairs } from './sandwich-pairs.ts';
import { swapRate } from './swap-rate.ts';

/**
 * The hard rules. Of several that hold the first is named. Profiles keep a rule by its place here,
 * in three bits: a new one goes to the end, and there may be seven.
 */
export const BOT_RULES: readonly BotRule[] = [
  sameTransactionRoundTrips,
  sandwichPairs,
  sameSlotPairs,
  swapRate,
  noSleep,
];

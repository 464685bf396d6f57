import type { BotRule } from './bot-rule.ts';
import { noSleep } from './no-sleep.ts';
import { sameSlotPairs } from './same-slot-pairs.ts';
import { sameTransactionRoundTrips } from './same-transaction-round-trips.ts';
import { sandwichPairs } from './sandwich-pairs.ts';
import { swapRate } from './swap-rate.ts';

/**
 * The hard rules. If several hold, the first is reported. Profiles store a rule by its index here
 * in three bits, so new rules are appended, and there can be at most seven.
 */
export const BOT_RULES: readonly BotRule[] = [
  sameTransactionRoundTrips,
  sandwichPairs,
  sameSlotPairs,
  swapRate,
  noSleep,
];

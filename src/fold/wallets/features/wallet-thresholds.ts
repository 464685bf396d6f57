/**
 * What tells a bot from a person (METHODS §2.1). Starting values, chosen by hand; each has its
 * reason. Rules that speak of slots are converted here once: a slot takes 400 ms.
 */
export const SLOT_MS = 400;

/** Up to this much apart in block time, which has whole seconds only, slots tell time better. */
export const NEAR_MS = 2_000;

/** A first buy up to two slots after the launch: nobody reads a new token's name in 800 ms. */
export const SNIPE_DELAY_MS = 2 * SLOT_MS;

export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;

/** H1. No interface for people buys and sells back in one transaction; one may be an accident. */
export const ROUND_TRIPS_MIN = 2;
/** H2. Both legs around a victim need control of the order of transactions. */
export const SANDWICH_LEGS_MIN = 2;
/** H3. Bought and sold within one slot is a reaction below 400 ms; five times is no double click. */
export const SAME_SLOT_PAIRS_MIN = 5;
/** H4. One every two minutes for sixteen waking hours is 480. */
export const SWAPS_24H_MIN = 500;
/** H4. One every ten seconds for ten minutes. */
export const SWAPS_10M_MIN = 60;
/** H5. People sleep more than one hour a day, two days in a row. */
export const ACTIVE_HOURS_MIN = 23;
/** H5. Below this a day has too few swaps to say when its owner was awake. */
export const SWAPS_PER_DAY_MIN = 50;

/** What a hard rule makes of the score: not 1, because any rule can be wrong. */
export const HARD_SCORE = 0.99;

/** A sandwich leg or round trip counts for a hard rule for this long. */
export const HARD_WINDOW_S = DAY_S;

/** S1. Bought and sold within 16 s: shorter than reading a chart, and common to scripted exits. */
export const SHORT_HOLD_S = 16;
/** S2. A second between trades is at the edge of what two clicks take. */
export const FAST_GAP_MS = 1_000;

/** Least number of observations before a share says anything. */
export const CLOSED_HOLDS_MIN = 5;
export const FAST_GAPS_MIN = 10;
export const REGULAR_GAPS_MIN = 20;
export const SIZED_BUYS_MIN = 10;
export const FIRST_BUYS_MIN = 5;
export const ATTEMPTS_MIN = 20;

/** S7. A program that this many wallets use is somebody's own; what is sold has more users. */
export const PRIVATE_PROGRAM_USERS_MAX = 20;
/** S10. Half of the trades through a trading terminal: a person who uses one. */
export const TERMINAL_SHARE_MIN = 0.5;
/** S11. Bots change their wallets; people keep theirs and do other things with them. */
export const OLD_WALLET_S = 30 * DAY_S;

/** p is σ of the sum of all terms and this: without any evidence 0.12, so a person. */
export const BASE_LOGIT = -2;
/** A person becomes a bot at p ≥ 0.5. */
export const ENTER_LOGIT = 0;
/** A bot becomes a person below p = 0.3, so that a wallet at the edge does not flicker. */
export const LEAVE_LOGIT = Math.log(0.3 / 0.7);
/** … and when no hard rule held for a week. */
export const HARD_RULE_MEMORY_S = 7 * DAY_S;
/** New trades before a class may change again: a change costs a walk over the wallet's pools. */
export const TRADES_PER_FLIP = 5;

/**
 * Thresholds that distinguish bots from people (METHODS §2.1). Initial values, chosen by hand, each
 * with its reason. Rules given in slots are converted to time here: a slot takes 400 ms.
 */
export const SLOT_MS = 400;

/** Below this distance slots are more precise than block times, which have whole seconds only. */
export const NEAR_MS = 2_000;

/** A first buy within two slots of the launch: no person reads a token's name in 800 ms. */
export const SNIPE_DELAY_MS = 2 * SLOT_MS;

export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;

/**
 * H1. No user interface buys and sells back in one transaction; a single one may be an accident.
 */
export const ROUND_TRIPS_MIN = 2;
/** H2. Placing both legs around a victim requires control of the transaction order. */
export const SANDWICH_LEGS_MIN = 2;
/**
 * H3. A buy and a sale in one slot is a reaction below 400 ms; five times is not a double click.
 */
export const SAME_SLOT_PAIRS_MIN = 5;
/** H4. One swap every two minutes for sixteen waking hours is 480. */
export const SWAPS_24H_MIN = 500;
/** H4. One swap every ten seconds for ten minutes. */
export const SWAPS_10M_MIN = 60;
/** H5. People sleep more than one hour a day, two days in a row. */
export const ACTIVE_HOURS_MIN = 23;
/** H5. With fewer swaps a day does not show when the owner was awake. */
export const SWAPS_PER_DAY_MIN = 50;

/** The score when a hard rule holds: not 1, because any rule can be wrong. */
export const HARD_SCORE = 0.99;

/** A sandwich leg or round trip counts for a hard rule for this long. */
export const HARD_WINDOW_S = DAY_S;

/** S1. A hold below 16 s is too short to read a chart, and common for scripted exits. */
export const SHORT_HOLD_S = 16;
/** S2. One second between trades is the minimum for two clicks. */
export const FAST_GAP_MS = 1_000;

/** Minimum number of observations for a share to be meaningful. */
export const CLOSED_HOLDS_MIN = 5;
export const FAST_GAPS_MIN = 10;
export const REGULAR_GAPS_MIN = 20;
export const SIZED_BUYS_MIN = 10;
export const FIRST_BUYS_MIN = 5;
export const ATTEMPTS_MIN = 20;

/** Observations over which one saturated habit, S1 to S3, suffices: no accident lasts so long. */
export const SATURATED_MIN = 30;
/** Its weight then: p = 0.52 alone, 0.33 for a user of a trading terminal. */
export const SATURATED_WEIGHT = 2.1;

/** S7. A program with at most this many users is private; a commercial one has more. */
export const PRIVATE_PROGRAM_USERS_MAX = 20;
/** S10. Half of the trades through a trading terminal indicate a person who uses one. */
export const TERMINAL_SHARE_MIN = 0.5;
/** S11. Bots change their wallets; people keep theirs and do other things with them. */
export const OLD_WALLET_S = 30 * DAY_S;

/** Minimum confidence at which those who lead a finding are bots in its mint (METHODS §13.1). */
export const COORDINATION_MIN = 0.7;

/** p is σ of this plus the sum of all terms; without evidence p is 0.12, a person. */
export const BASE_LOGIT = -2;
/** A person becomes a bot at p ≥ 0.5. */
export const ENTER_LOGIT = 0;
/** A bot becomes a person below p = 0.3: hysteresis, so a borderline wallet does not toggle. */
export const LEAVE_LOGIT = Math.log(0.3 / 0.7);
/** A bot becomes a person only if, in addition, no hard rule has held for a week. */
export const HARD_RULE_MEMORY_S = 7 * DAY_S;
/** Trades before a class may change again, because a change iterates over the wallet's pools. */
export const TRADES_PER_FLIP = 5;

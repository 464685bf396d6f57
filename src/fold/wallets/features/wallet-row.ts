import { rowLayout } from '../../../lib/row-layout.ts';

export const HOURS = 24;
/** Days covered by `activeHours`. */
export const ACTIVE_DAYS = 8;
export const HISTOGRAM_BUCKETS = 24;
export const TEN_MINUTE_PARTS = 30;
export const TEN_MINUTE_PART_S = 20;
export const SIZES = 5;
export const MINT_BITS = 128;

/**
 * The profile of one wallet, in 320 bytes. Times are seconds of logical time. Optional times are
 * stored plus one; 0 means never.
 */
export const WALLET_LAYOUT = rowLayout({
  /** Mean of ln(gap in seconds), and the sum of squared distances from it (Welford). */
  lnGapMean: 'f64',
  lnGapSquares: 'f64',
  /** First and last trade; the first attempt, for a wallet with failed transactions only. */
  firstS: 'u32',
  firstSlot: 'u32',
  lastS: 'u32',
  lastSlot: 'u32',
  /** Address id of the first funder, plus one. */
  firstFunder: 'u32',
  trades: 'u32',
  failed: 'u32',
  fastGaps: 'u32',
  closedHolds: 'u32',
  shortHolds: 'u32',
  firstBuys: 'u32',
  snipes: 'u32',
  terminalTrades: 'u32',
  privateTrades: 'u32',
  /** When the class last changed. */
  sinceSlot: 'u32',
  sinceS: 'u32',
  /** When a hard rule last held, plus one. */
  hardRuleS: 'u32',
  /** Time of the last sandwich leg, plus one. */
  sandwichS: 'u32',
  /** Times of the most recent ones, newest first, plus one each. */
  roundTripS: ['u32', 2],
  sameSlotPairS: ['u32', 5],
  /** Rounded buy sizes, and a lower bound of each one's count; code 0 is an unused entry. */
  sizeCodes: ['u16', SIZES],
  sizeCounts: ['u16', SIZES],
  sizedBuys: 'u16',
  /** Swaps of the last 24 hours by hour of the day, and their sum. */
  hourSwaps: ['u16', HOURS],
  swaps24h: 'u16',
  swaps10m: 'u16',
  /** Day of the last trade, in days since 1970. */
  day: 'u16',
  swapsToday: 'u16',
  swapsYesterday: 'u16',
  tenMinuteSwaps: ['u8', TEN_MINUTE_PARTS],
  gapHistogram: ['u8', HISTOGRAM_BUCKETS],
  holdHistogram: ['u8', HISTOGRAM_BUCKETS],
  /** By hour of the day: one bit for each of the last 8 days, at index day modulo 8. */
  activeHours: ['u8', HOURS],
  /** One bit for each of 128 hash values of mints, set when such a mint was traded today. */
  mintBits: ['u8', MINT_BITS / 8],
  mintBitCount: 'u8',
  mintsYesterday: 'u8',
  sandwichLegs: 'u8',
  /** Bits: 0 bot, 1–3 the last hard rule that held, 4 active outside of trading. */
  standing: 'u8',
  /** Trades required before the class may change again. */
  tradesToFlip: 'u8',
});

export const WALLET_FIELDS = WALLET_LAYOUT.fields;

export const STANDING = {
  bot: 1,
  ruleShift: 1,
  ruleMask: 0b1110,
  otherActivity: 0b1_0000,
} as const;

import { rowLayout } from '../../../lib/row-layout.ts';

export const HOURS = 24;
/** Days in the map of active hours. */
export const ACTIVE_DAYS = 8;
export const HISTOGRAM_BUCKETS = 24;
export const TEN_MINUTE_PARTS = 30;
export const TEN_MINUTE_PART_S = 20;
export const SIZES = 5;
export const MINT_BITS = 128;

/**
 * The profile of one wallet, in 320 bytes. Times are seconds of logical time. Those of things that
 * may not have happened are one more, so that 0 is never.
 */
export const WALLET_LAYOUT = rowLayout({
  /** Mean of ln(gap in seconds), and the sum of squared distances from it (Welford). */
  lnGapMean: 'f64',
  lnGapSquares: 'f64',
  /** Of the first and the last trade; of a wallet that only failed, of the first attempt. */
  firstS: 'u32',
  firstSlot: 'u32',
  lastS: 'u32',
  lastSlot: 'u32',
  /** Number of the first funder's address, plus one. */
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
  /** Since when the class is what it is. */
  sinceSlot: 'u32',
  sinceS: 'u32',
  /** When a hard rule last held, plus one. */
  hardRuleS: 'u32',
  /** Of the last sandwich leg, plus one. */
  sandwichS: 'u32',
  /** Of the last ones, the newest first, plus one each. */
  roundTripS: ['u32', 2],
  sameSlotPairS: ['u32', 5],
  /** Rounded buy sizes and how often each was seen at least; code 0 is a free place. */
  sizeCodes: ['u16', SIZES],
  sizeCounts: ['u16', SIZES],
  sizedBuys: 'u16',
  /** Swaps of the hour, by hour of the day, and their sum. */
  hourSwaps: ['u16', HOURS],
  swaps24h: 'u16',
  swaps10m: 'u16',
  /** Days since 1970 of the last trade. */
  day: 'u16',
  swapsToday: 'u16',
  swapsYesterday: 'u16',
  tenMinuteSwaps: ['u8', TEN_MINUTE_PARTS],
  gapHistogram: ['u8', HISTOGRAM_BUCKETS],
  holdHistogram: ['u8', HISTOGRAM_BUCKETS],
  /** By hour of the day, a bit for each of the last days: that of a day is its number modulo 8. */
  activeHours: ['u8', HOURS],
  /** A bit for each of 128 classes of mints, set when one was traded today. */
  mintBits: ['u8', MINT_BITS / 8],
  mintBitCount: 'u8',
  mintsYesterday: 'u8',
  sandwichLegs: 'u8',
  /** Bits: 0 bot, 1–3 the hard rule that made it one, 4 active outside of trading. */
  standing: 'u8',
  /** Trades to be made before the class may change again. */
  tradesToFlip: 'u8',
});

export const WALLET_FIELDS = WALLET_LAYOUT.fields;

export const STANDING = {
  bot: 1,
  ruleShift: 1,
  ruleMask: 0b1110,
  otherActivity: 0b1_0000,
} as const;

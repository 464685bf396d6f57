import type { RowTable } from '../../../lib/row-table.ts';
import { modalSize } from './buy-sizes.ts';
import { activeHours, mintsToday } from './trade-windows.ts';
import { STANDING, WALLET_FIELDS } from './wallet-row.ts';
import { HARD_WINDOW_S, SWAPS_PER_DAY_MIN } from './wallet-thresholds.ts';

/** The input of the hard rules, as of the wallet's last trade. */
export interface RuleFeatures {
  readonly nowS: number;
  readonly swaps24h: number;
  readonly swaps10m: number;
  /** Transactions of the last 24 h that bought and sold back one mint. */
  readonly roundTrips: number;
  /** Sandwich legs in total; 0 when the last one is more than 24 h ago. */
  readonly sandwichLegs: number;
  /** Pairs in the last 24 h, at most five. */
  readonly sameSlotPairs: number;
  /** Swaps, and hours with a swap, today and yesterday; hours are 0 if a day has too few swaps. */
  readonly swapsToday: number;
  readonly swapsYesterday: number;
  readonly hoursToday: number;
  readonly hoursYesterday: number;
}

/** The input of the rules and the scorecard, as of the wallet's last trade. */
export interface WalletFeatures extends RuleFeatures {
  /** Successful transactions in which the wallet swapped. */
  readonly trades: number;
  readonly failed: number;
  readonly ageS: number;
  readonly closedHolds: number;
  readonly shortHolds: number;
  readonly gaps: number;
  readonly fastGaps: number;
  /** Standard deviation of ln(gap); 0 below two gaps. */
  readonly lnGapDeviation: number;
  readonly sizedBuys: number;
  readonly modalSizeBuys: number;
  readonly modalSizeLamports: number;
  readonly isModalSizeRound: boolean;
  /** First buys of a mint, and those of them right after the launch. */
  readonly firstBuys: number;
  readonly snipes: number;
  /** Distinct mints on the busier of the last two days. */
  readonly mintsPerDay: number;
  readonly privateTrades: number;
  readonly terminalTrades: number;
  readonly hasOtherActivity: boolean;
}

const F = WALLET_FIELDS;

export function readRuleFeatures(rows: RowTable, row: number): RuleFeatures {
  const nowS = rows.number(row, F.lastS);
  const swapsToday = rows.number(row, F.swapsToday);
  const swapsYesterday = rows.number(row, F.swapsYesterday);
  const areDaysBusy = swapsToday >= SWAPS_PER_DAY_MIN && swapsYesterday >= SWAPS_PER_DAY_MIN;
  return {
    nowS,
    swaps24h: rows.number(row, F.swaps24h),
    swaps10m: rows.number(row, F.swaps10m),
    roundTrips: recent(rows, row, F.roundTripS, nowS),
    sandwichLegs: isRecent(rows.number(row, F.sandwichS), nowS)
      ? rows.number(row, F.sandwichLegs)
      : 0,
    sameSlotPairs: recent(rows, row, F.sameSlotPairS, nowS),
    swapsToday,
    swapsYesterday,
    hoursToday: areDaysBusy ? activeHours(rows, row, 0) : 0,
    hoursYesterday: areDaysBusy ? activeHours(rows, row, 1) : 0,
  };
}

export function readFeatures(rows: RowTable, row: number): WalletFeatures {
  return withScoreFeatures(readRuleFeatures(rows, row), rows, row);
}

/** Adds the features that only the scorecard uses. */
export function withScoreFeatures(
  features: RuleFeatures,
  rows: RowTable,
  row: number,
): WalletFeatures {
  const trades = rows.number(row, F.trades);
  const modal = modalSize(rows, row);
  return {
    ...features,
    trades,
    failed: rows.number(row, F.failed),
    ageS: features.nowS - rows.number(row, F.firstS),
    closedHolds: rows.number(row, F.closedHolds),
    shortHolds: rows.number(row, F.shortHolds),
    gaps: Math.max(0, trades - 1),
    fastGaps: rows.number(row, F.fastGaps),
    lnGapDeviation: lnGapDeviation(rows, row, trades - 1),
    sizedBuys: rows.number(row, F.sizedBuys),
    modalSizeBuys: modal.count,
    modalSizeLamports: modal.lamports,
    isModalSizeRound: modal.isRound,
    firstBuys: rows.number(row, F.firstBuys),
    snipes: rows.number(row, F.snipes),
    mintsPerDay: Math.max(mintsToday(rows, row), rows.number(row, F.mintsYesterday)),
    privateTrades: rows.number(row, F.privateTrades),
    terminalTrades: rows.number(row, F.terminalTrades),
    hasOtherActivity: (rows.number(row, F.standing) & STANDING.otherActivity) !== 0,
  };
}

function recent(
  rows: RowTable,
  row: number,
  times: typeof F.roundTripS | typeof F.sameSlotPairS,
  nowS: number,
): number {
  let count = 0;
  for (let at = 0; at < times.length; at++) {
    if (isRecent(rows.number(row, times, at), nowS)) count++;
  }
  return count;
}

/** `timeS` is the time plus one, 0 for never. */
function isRecent(timeS: number, nowS: number): boolean {
  return timeS !== 0 && nowS - (timeS - 1) < HARD_WINDOW_S;
}

function lnGapDeviation(rows: RowTable, row: number, gaps: number): number {
  return gaps < 2 ? 0 : Math.sqrt(rows.number(row, F.lnGapSquares) / (gaps - 1));
}

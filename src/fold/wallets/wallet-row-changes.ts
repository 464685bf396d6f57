import type { RowTable } from '../../lib/row-table.ts';
import type { Side } from '../../model/swap.ts';
import type { Address, Slot } from '../../model/units.ts';
import { countBuySize } from './features/buy-sizes.ts';
import { countSeconds } from './features/log-histogram.ts';
import { bump, countInWindows, noteMint } from './features/trade-windows.ts';
import { STANDING, WALLET_FIELDS } from './features/wallet-row.ts';
import { FAST_GAP_MS, NEAR_MS, SHORT_HOLD_S, SLOT_MS } from './features/wallet-thresholds.ts';

/** When something happened, in logical milliseconds. */
export interface TradeTime {
  readonly slot: Slot;
  readonly timeMs: number;
}

/** The trade of one wallet in one successful transaction. */
export interface WalletTrade extends TradeTime {
  readonly mint: Address;
  readonly side: Side;
  /** The cost of a buy or the proceeds of a sale, including fees; null when unknown in SOL. */
  readonly lamports: bigint | null;
  /** The transaction bought and sold back one mint, on one pool or several. */
  readonly isRoundTrip: boolean;
  /** The wallet's first buy of the mint. */
  readonly isFirstBuyOfMint: boolean;
  /** A first buy at most SNIPE_DELAY_MS after the launch. */
  readonly isSnipe: boolean;
  /** The trade went through a known trading terminal. */
  readonly terminal: boolean;
  /** Its outer programs. */
  readonly programIds: readonly Address[];
}

const F = WALLET_FIELDS;
const U32_MAX = 0xffff_ffff;
const SECONDS_MAX = U32_MAX - 1;

/** Seconds as stored in rows, capped at the maximum of 32 bits (year 2106). */
export function secondsOf(timeMs: number): number {
  return Math.min(Math.max(0, Math.floor(timeMs / 1_000)), SECONDS_MAX);
}

/** Initialises the profile of a new wallet. */
export function beginRow(rows: RowTable, row: number, { slot, timeMs }: TradeTime): void {
  const nowS = secondsOf(timeMs);
  rows.setNumber(row, F.firstS, nowS);
  rows.setNumber(row, F.firstSlot, slot);
  rows.setNumber(row, F.lastS, nowS);
  rows.setNumber(row, F.lastSlot, slot);
  rows.setNumber(row, F.sinceS, nowS);
  rows.setNumber(row, F.sinceSlot, slot);
}

export function countTrade(rows: RowTable, row: number, trade: WalletTrade): void {
  const trades = rows.number(row, F.trades);
  const beforeS = trades === 0 ? null : rows.number(row, F.lastS);
  // Logical time never decreases; rows enforce this for any input.
  const nowS = Math.max(secondsOf(trade.timeMs), beforeS ?? 0);
  if (beforeS !== null) countGap(rows, row, { gaps: trades, beforeS, nowS, slot: trade.slot });
  if (trades < U32_MAX) rows.setNumber(row, F.trades, trades + 1);
  countInWindows(rows, row, beforeS, nowS);
  noteMint(rows, row, trade.mint);
  if (trade.side === 'buy' && trade.lamports !== null) countBuySize(rows, row, trade.lamports);
  if (trade.isFirstBuyOfMint) {
    bump(rows, row, F.firstBuys, U32_MAX);
    if (trade.isSnipe) bump(rows, row, F.snipes, U32_MAX);
  }
  if (trade.terminal) bump(rows, row, F.terminalTrades, U32_MAX);
  if (trade.isRoundTrip) pushTime(rows, row, F.roundTripS, nowS);
  const toFlip = rows.number(row, F.tradesToFlip);
  if (toFlip > 0) rows.setNumber(row, F.tradesToFlip, toFlip - 1);
  rows.setNumber(row, F.lastS, nowS);
  rows.setNumber(row, F.lastSlot, trade.slot);
}

/** Records that a mint was bought and sold in the slot of the last trade. */
export function countSameSlotPair(rows: RowTable, row: number): void {
  pushTime(rows, row, F.sameSlotPairS, rows.number(row, F.lastS));
}

export function countClosedHold(rows: RowTable, row: number, seconds: number): void {
  bump(rows, row, F.closedHolds, U32_MAX);
  if (seconds < SHORT_HOLD_S) bump(rows, row, F.shortHolds, U32_MAX);
  countSeconds(rows, row, F.holdHistogram, seconds);
}

export function countFailed(rows: RowTable, row: number): void {
  bump(rows, row, F.failed, U32_MAX);
}

export function countSandwichLeg(rows: RowTable, row: number, timeMs: number): void {
  bump(rows, row, F.sandwichLegs, 0xff);
  const timeS = secondsOf(timeMs) + 1;
  if (timeS > rows.number(row, F.sandwichS)) rows.setNumber(row, F.sandwichS, timeS);
}

/** Counts a trade through a program that is currently considered private. */
export function countPrivateTrade(rows: RowTable, row: number): void {
  rows.setNumber(row, F.privateTrades, rows.number(row, F.privateTrades) + 1);
}

/** Subtracts trades through a program that has become public. */
export function releasePrivateTrades(rows: RowTable, row: number, trades: number): void {
  const counted = rows.number(row, F.privateTrades);
  rows.setNumber(row, F.privateTrades, Math.max(0, counted - trades));
}

/** Records that the wallet is active outside of trading. */
export function noteOtherActivity(rows: RowTable, row: number): void {
  const standing = rows.number(row, F.standing);
  if ((standing & STANDING.otherActivity) !== 0) return;
  rows.setNumber(row, F.standing, standing | STANDING.otherActivity);
}

function countGap(
  rows: RowTable,
  row: number,
  at: {
    readonly gaps: number;
    readonly beforeS: number;
    readonly nowS: number;
    readonly slot: Slot;
  },
): void {
  const slots = Math.max(0, at.slot - rows.number(row, F.lastSlot));
  const gapMs = gapBetween((at.nowS - at.beforeS) * 1_000, slots);
  if (gapMs <= FAST_GAP_MS) bump(rows, row, F.fastGaps, U32_MAX);
  countSeconds(rows, row, F.gapHistogram, gapMs / 1_000);
  // A gap within one slot has no measurable length; one whole slot keeps the logarithm finite.
  const lnGap = Math.log(Math.max(gapMs, SLOT_MS) / 1_000);
  const mean = rows.number(row, F.lnGapMean);
  const nextMean = mean + (lnGap - mean) / at.gaps;
  rows.setNumber(row, F.lnGapMean, nextMean);
  const squares = rows.number(row, F.lnGapSquares);
  rows.setNumber(row, F.lnGapSquares, squares + (lnGap - mean) * (lnGap - nextMean));
}

/** Block times have whole seconds, so short gaps are measured in slots (METHODS §0.2). */
export function gapBetween(timeMs: number, slots: number): number {
  return timeMs <= NEAR_MS ? slots * SLOT_MS : timeMs;
}

/** Inserts a time in front of the others and drops the oldest. */
function pushTime(
  rows: RowTable,
  row: number,
  times: typeof F.roundTripS | typeof F.sameSlotPairS,
  nowS: number,
): void {
  for (let at = times.length - 1; at > 0; at--) {
    rows.setNumber(row, times, rows.number(row, times, at - 1), at);
  }
  rows.setNumber(row, times, nowS + 1);
}

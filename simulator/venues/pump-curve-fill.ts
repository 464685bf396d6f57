import { divideUp } from './constant-product.ts';
import {
  buyTokens,
  buyWithBudget,
  type CurveFees,
  type CurveReserves,
  type CurveTrade,
  paidByBuyer,
  withFees,
} from './pump-curve-math.ts';
import { splitBudget } from './pump-fee.ts';

/** The pool to which a curve will migrate, as far as known before the last tokens are sold. */
export interface ComingPool {
  /** Tokens reserved for it. */
  readonly reservedRaw: bigint;
  /** The migration's fee on the quote side. */
  readonly migrationFeeRaw: bigint;
}

/** The part of a purchase that continues in the future pool, priced on its first reserves. */
export interface BeyondTrade extends CurveTrade {
  readonly before: { readonly baseRaw: bigint; readonly quoteRaw: bigint };
}

/** A purchase: the part sold by the curve, and the part beyond its end. */
export interface CurveFill {
  readonly trade: CurveTrade;
  /** Null if the purchase ends with the curve. */
  readonly beyond: BeyondTrade | null;
}

/**
 * The purchase for a budget. With a future pool, the budget left after the curve's last tokens buys
 * there by `floor(B (net - 1) / (Q + net - 1))` (recorded: PostCompleteBuyEvent of 3hYp997p…).
 */
export function fillByBudget(
  reserves: CurveReserves,
  coming: ComingPool | null,
  spendableRaw: bigint,
  fees: CurveFees,
): CurveFill {
  const trade = buyWithBudget(reserves, spendableRaw, fees);
  const leftRaw = spendableRaw - paidByBuyer(trade);
  if (coming === null || leftRaw <= 0n || trade.baseRaw < reserves.realBaseRaw) {
    return { trade, beyond: null };
  }
  const before = openingReserves(reserves, trade, coming);
  const { netRaw, feesRaw } = splitBudget(leftRaw, [fees.protocolBps, fees.creatorBps]);
  const [protocolFeeRaw = 0n, creatorFeeRaw = 0n] = feesRaw;
  const dealt = netRaw - 1n;
  const baseRaw = dealt <= 0n ? 0n : (before.baseRaw * dealt) / (before.quoteRaw + dealt);
  if (baseRaw === 0n) return { trade, beyond: null };
  return { trade, beyond: { baseRaw, quoteRaw: netRaw, protocolFeeRaw, creatorFeeRaw, before } };
}

/**
 * The cost of a number of tokens; those beyond the curve's end cost `ceil(Q out / (B - out))`
 * (recorded: PostCompleteBuyEvent of 2EgRjJcU…). Null if the future pool does not have more than
 * that.
 */
export function fillByTokens(
  reserves: CurveReserves,
  coming: ComingPool | null,
  tokensRaw: bigint,
  fees: CurveFees,
): CurveFill | null {
  const trade = buyTokens(reserves, tokensRaw, fees);
  const moreRaw = tokensRaw - trade.baseRaw;
  if (coming === null || moreRaw <= 0n) return { trade, beyond: null };
  const before = openingReserves(reserves, trade, coming);
  if (moreRaw >= before.baseRaw) return null;
  const quoteRaw = divideUp(before.quoteRaw * moreRaw, before.baseRaw - moreRaw);
  return { trade, beyond: { ...withFees(moreRaw, quoteRaw, fees), before } };
}

/** Tokens of both parts. */
export function tokensOf({ trade, beyond }: CurveFill): bigint {
  return trade.baseRaw + (beyond?.baseRaw ?? 0n);
}

/** The buyer's payment for both parts, including fees. */
export function costOf({ trade, beyond }: CurveFill): bigint {
  return paidByBuyer(trade) + (beyond === null ? 0n : paidByBuyer(beyond));
}

function openingReserves(
  { realQuoteRaw }: CurveReserves,
  { quoteRaw }: CurveTrade,
  { reservedRaw, migrationFeeRaw }: ComingPool,
): BeyondTrade['before'] {
  return { baseRaw: reservedRaw, quoteRaw: realQuoteRaw + quoteRaw - migrationFeeRaw };
}

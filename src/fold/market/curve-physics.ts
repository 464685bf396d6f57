import { absolute } from '../../lib/decimal.ts';
import type { Swap } from '../../model/swap.ts';

/** Shares are in millionths. */
const MILLION = 1_000_000n;
/** Fee share assumed when the venue does not report one: 1.25 %. */
const UNKNOWN_FEE = 12_500n;
/** Relative slack for rounding, in millionths. */
const EPSILON = 1n;

/**
 * False when a constant-product curve cannot have made this trade: the executed price must lie
 * between the spot prices before and after it, give or take the fee and rounding (METHODS §0.4).
 * This can be checked only for curves that publish their virtual reserves; other swaps pass.
 */
export function obeysCurve(swap: Swap): boolean {
  const after = swap.reserves;
  if (after === null || after.virtualBase === null || after.virtualQuote === null) return true;
  const before = {
    base: after.virtualBase - swap.poolBaseDelta,
    quote: after.virtualQuote - swap.poolQuoteDelta,
  };
  if (before.base <= 0n || before.quote <= 0n || after.virtualBase <= 0n) return false;
  const isBuy = swap.poolQuoteDelta > 0n;
  const end = { base: after.virtualBase as bigint, quote: after.virtualQuote as bigint };
  const [low, high] = isBuy ? [before, end] : [end, before];
  const base = absolute(swap.poolBaseDelta);
  const quote = isBuy ? swap.poolQuoteDelta : -swap.poolQuoteDelta;
  const slack = feeShare(swap, quote) + EPSILON;
  // price >= low * (1 - slack) and price <= high * (1 + slack), with one raw unit per leg allowed.
  const isHighEnough =
    (quote + 1n) * low.base * MILLION >= low.quote * (base - 1n) * (MILLION - slack);
  const isLowEnough =
    (quote - 1n) * high.base * MILLION <= high.quote * (base + 1n) * (MILLION + slack);
  return isHighEnough && isLowEnough;
}

/** The fee as a share of the quote leg, in millionths, rounded up. */
function feeShare(swap: Swap, quote: bigint): bigint {
  if (swap.feeQuoteRaw === null || quote <= 0n) return UNKNOWN_FEE;
  return (swap.feeQuoteRaw * MILLION) / quote + 1n;
}

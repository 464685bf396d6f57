import { absolute } from '../../lib/decimal.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { liquidReserves } from '../../model/reserves.ts';
import type { PriceE18, Slot } from '../../model/units.ts';
import { isCurveVenue } from '../../model/venue-kinds.ts';
import type { PendingJump } from './pool-price-state.ts';

/** Pools with less liquidity than this are thin. */
const THIN_LIQUIDITY_USD_NANO = 1_000_000_000_000n;

/**
 * True when the trade left its pool with less than $1,000 of liquidity, estimated as twice its
 * quote side. False when reserves or USD are unknown: a trade is not excluded without evidence.
 */
export function isThin({ swap, valueUsd }: PricedSwap): boolean {
  if (swap.reserves === null || valueUsd === null) return false;
  const quoteRaw = absolute(swap.poolQuoteDelta);
  // valueUsd / quoteRaw is the quote's USD price.
  const { quote } = liquidReserves(swap.reserves, isCurveVenue(swap.venue));
  return 2n * quote * valueUsd < THIN_LIQUIDITY_USD_NANO * quoteRaw;
}

/** True for a move of more than 50 % of `from`, up or down. */
export function isJump(from: PriceE18, to: PriceE18): boolean {
  return 2n * to > 3n * from || 2n * to < from;
}

/** True when a trade of a later slot is near the price that the first one jumped to. */
export function confirms(pending: PendingJump | null, price: PriceE18, slot: Slot): boolean {
  return pending !== null && slot > pending.slot && !isJump(pending.price, price);
}

import type { Side } from '../../src/model/swap.ts';
import type { Ledger } from '../chain/ledger.ts';
import { type Market, pricingReserves } from '../venues/market.ts';

/** A trade in one pool. */
export interface TradePlan {
  readonly side: Side;
  readonly amountInRaw: bigint;
}

/** Bisection steps of the search for the amount. */
const STEPS = 24;

/**
 * The trade that moves a pool to `price` (raw quote per raw base), as close as is profitable after
 * its fee; null if it is already that close. Uses only quotes, so it works for every kind of pool.
 * Pays in at most `shareMax` of a side's reserve.
 */
export function tradeTowards(
  market: Market,
  ledger: Ledger,
  price: number,
  shareMax = 0.2,
): TradePlan | null {
  const side: Side = market.spotPrice(ledger) < price ? 'buy' : 'sell';
  const { baseRaw, quoteRaw } = pricingReserves(market, ledger);
  const most = Number(side === 'buy' ? quoteRaw : baseRaw) * shareMax;
  if (!(most >= 1)) return null;
  const unitRaw = BigInt(Math.ceil(most / 1e5));
  const gains = (paidRaw: bigint): boolean => {
    const moreRaw =
      market.quote(ledger, side, paidRaw + unitRaw) - market.quote(ledger, side, paidRaw);
    const worth = side === 'buy' ? Number(moreRaw) * price : Number(moreRaw) / price;
    return worth > Number(unitRaw);
  };
  if (!gains(0n)) return null;
  let low = 0n;
  let high = BigInt(Math.floor(most));
  for (let step = 0; step < STEPS && high - low > 1n; step++) {
    const middle = (low + high) / 2n;
    if (gains(middle)) low = middle;
    else high = middle;
  }
  return high > 0n ? { side, amountInRaw: high } : null;
}

import type { Ledger } from '../chain/ledger.ts';
import { type Market, pricingReserves } from '../venues/market.ts';
import {
  buyTokens,
  buyWithBudget,
  CURVE_FEES,
  type CurveReserves,
  reservesAfter,
  START_OF_CURVE,
  SUPPLY_RAW,
} from '../venues/pump-curve-math.ts';
import { partOf } from './orders.ts';

/** The number of tokens that is a share of a launch's supply. */
export function tokensOfShare(share: number): bigint {
  return partOf(SUPPLY_RAW, share);
}

/** The costs of several consecutive purchases on a new curve, including fees. */
export function costsFromStart(tokensRaw: readonly bigint[]): bigint[] {
  let reserves: CurveReserves = START_OF_CURVE;
  return tokensRaw.map((tokens) => {
    const trade = buyTokens(reserves, tokens, CURVE_FEES);
    reserves = reservesAfter(reserves, trade, true);
    return trade.quoteRaw + trade.protocolFeeRaw + trade.creatorFeeRaw;
  });
}

/** The cost of tokens on a curve that has already taken in this many lamports, including fees. */
export function expectedCost(tokensRaw: bigint, takenInLamports: bigint): bigint {
  const before = buyWithBudget(START_OF_CURVE, takenInLamports, CURVE_FEES);
  const reserves = reservesAfter(START_OF_CURVE, before, true);
  const trade = buyTokens(reserves, tokensRaw, CURVE_FEES);
  return trade.quoteRaw + trade.protocolFeeRaw + trade.creatorFeeRaw;
}

/** Bisection steps of the search for a payment. */
const STEPS = 40;
/** The search is limited to this multiple of the pool's reserve. */
const RESERVE_MULTIPLE = 20n;
const LEAST_RESERVE_LAMPORTS = 50_000_000_000n;

/** The smallest payment for which a pool gives this many tokens; null if it has fewer. */
export function paymentFor(ledger: Ledger, market: Market, tokensRaw: bigint): bigint | null {
  const { quoteRaw } = pricingReserves(market, ledger);
  const most = quoteRaw < LEAST_RESERVE_LAMPORTS ? LEAST_RESERVE_LAMPORTS : quoteRaw;
  let low = 0n;
  let high = most * RESERVE_MULTIPLE;
  if (market.quote(ledger, 'buy', high) < tokensRaw) return null;
  for (let step = 0; step < STEPS && high - low > 1n; step++) {
    const middle = (low + high) / 2n;
    if (market.quote(ledger, 'buy', middle) < tokensRaw) low = middle;
    else high = middle;
  }
  return high;
}

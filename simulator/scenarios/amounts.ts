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

/** Tokens of a launch that are a share of its supply. */
export function tokensOfShare(share: number): bigint {
  return partOf(SUPPLY_RAW, share);
}

/** What each of several purchases costs on a new curve, one behind the other, fees included. */
export function costsFromStart(tokensRaw: readonly bigint[]): bigint[] {
  let reserves: CurveReserves = START_OF_CURVE;
  return tokensRaw.map((tokens) => {
    const trade = buyTokens(reserves, tokens, CURVE_FEES);
    reserves = reservesAfter(reserves, trade, true);
    return trade.quoteRaw + trade.protocolFeeRaw + trade.creatorFeeRaw;
  });
}

/** What tokens cost on a curve that has already taken in so many lamports, fees included. */
export function expectedCost(tokensRaw: bigint, takenInLamports: bigint): bigint {
  const before = buyWithBudget(START_OF_CURVE, takenInLamports, CURVE_FEES);
  const reserves = reservesAfter(START_OF_CURVE, before, true);
  const trade = buyTokens(reserves, tokensRaw, CURVE_FEES);
  return trade.quoteRaw + trade.protocolFeeRaw + trade.creatorFeeRaw;
}

/** Halvings of the interval in which a payment is sought. */
const STEPS = 40;
/** A payment is never looked for beyond so many times what the pool holds. */
const RESERVE_MULTIPLE = 20n;
const LEAST_RESERVE_LAMPORTS = 50_000_000_000n;

/** The least payment for which a pool gives so many tokens; null when it has less. */
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

import { divideUp, inputOf, outputOf, squareRoot } from './constant-product.ts';
import { feeOf, splitBudget } from './pump-fee.ts';

export interface PoolReserves {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

export interface PoolFees {
  readonly lpBps: bigint;
  readonly protocolBps: bigint;
  readonly creatorBps: bigint;
}

/** A trade in a pool's accounting. The fee for liquidity providers stays in the pool. */
export interface PoolTrade {
  readonly baseRaw: bigint;
  /** The amount by the constant product, without fees. */
  readonly curveQuoteRaw: bigint;
  readonly lpFeeRaw: bigint;
  readonly protocolFeeRaw: bigint;
  readonly creatorFeeRaw: bigint;
  /** The trader's total payment or proceeds. */
  readonly traderQuoteRaw: bigint;
  /** The amount that the pool's vault receives or pays. */
  readonly vaultQuoteRaw: bigint;
}

/**
 * `buy_exact_quote_in`: the purchase for a budget including fees; nothing if the fees use it up.
 * Reserves are those that determine the price, here and below.
 */
export function buyWithBudget(
  reserves: PoolReserves,
  spendableRaw: bigint,
  fees: PoolFees,
): PoolTrade {
  return spend(reserves, spendableRaw, fees, 0n);
}

/**
 * `buy_exact_quote_in_v2` and buybacks: one unit of the payment is not traded, hence `floor(B (net
 * - 1) / (E + net - 1))` (recorded: v2d2Jm2H…, LK86c649…).
 */
export function buyWithBudgetKept(
  reserves: PoolReserves,
  spendableRaw: bigint,
  fees: PoolFees,
): PoolTrade {
  return spend(reserves, spendableRaw, fees, 1n);
}

function spend(
  { baseRaw: base, quoteRaw: quote }: PoolReserves,
  spendableRaw: bigint,
  { lpBps, protocolBps, creatorBps }: PoolFees,
  heldBackRaw: bigint,
): PoolTrade {
  const { netRaw, feesRaw } = splitBudget(spendableRaw, [lpBps, protocolBps, creatorBps]);
  if (base === 0n || netRaw <= heldBackRaw) return purchase(0n, 0n, [0n, 0n, 0n]);
  const [lp = 0n, protocol = 0n, creator = 0n] = feesRaw;
  return purchase(outputOf(netRaw - heldBackRaw, quote, base), netRaw, [lp, protocol, creator]);
}

/** `buy`: the cost of a number of tokens; null if the pool does not have more than that. */
export function buyTokens(
  { baseRaw: base, quoteRaw: quote }: PoolReserves,
  baseRaw: bigint,
  fees: PoolFees,
): PoolTrade | null {
  if (baseRaw >= base) return null;
  const curveRaw = inputOf(baseRaw, quote, base);
  return purchase(baseRaw, curveRaw, feesOn(curveRaw, fees));
}

/** `sell`: the proceeds of tokens. The trader's part is negative if the fees exceed them. */
export function sellTokens(
  { baseRaw: base, quoteRaw: quote }: PoolReserves,
  baseRaw: bigint,
  fees: PoolFees,
): PoolTrade {
  const given = baseRaw <= 0n ? 0n : outputOf(baseRaw, base, quote);
  const [lpFeeRaw, protocolFeeRaw, creatorFeeRaw] = feesOn(given, fees);
  return {
    baseRaw,
    curveQuoteRaw: given,
    lpFeeRaw,
    protocolFeeRaw,
    creatorFeeRaw,
    traderQuoteRaw: given - lpFeeRaw - protocolFeeRaw - creatorFeeRaw,
    vaultQuoteRaw: given - lpFeeRaw,
  };
}

type Fees = readonly [lp: bigint, protocol: bigint, creator: bigint];

function feesOn(amount: bigint, { lpBps, protocolBps, creatorBps }: PoolFees): Fees {
  return [feeOf(amount, lpBps), feeOf(amount, protocolBps), feeOf(amount, creatorBps)];
}

function purchase(baseRaw: bigint, curveRaw: bigint, [lp, protocol, creator]: Fees): PoolTrade {
  return {
    baseRaw,
    curveQuoteRaw: curveRaw,
    lpFeeRaw: lp,
    protocolFeeRaw: protocol,
    creatorFeeRaw: creator,
    traderQuoteRaw: curveRaw + lp + protocol + creator,
    vaultQuoteRaw: curveRaw + lp,
  };
}

/** The part of a trade that stays in a pool as kept fees, in addition to its liquidity. */
export function keptOf({ protocolFeeRaw, creatorFeeRaw }: PoolTrade): bigint {
  return protocolFeeRaw - poolBuybackOf({ protocolFeeRaw }) + creatorFeeRaw;
}

/** The part of a trade's protocol fee that funds buybacks: always paid in the trade. */
export function poolBuybackOf({ protocolFeeRaw }: Pick<PoolTrade, 'protocolFeeRaw'>): bigint {
  return (protocolFeeRaw * POOL_BUYBACK_BPS) / 10_000n;
}

export const POOL_BUYBACK_BPS = 5_000n;

/** LP tokens that are issued to no one, so the pool can never be emptied. */
export const LOCKED_LIQUIDITY = 100n;

/**
 * LP tokens of the first liquidity, including the locked ones: the geometric mean of both sides.
 */
export function firstLiquidity({ baseRaw, quoteRaw }: PoolReserves): bigint {
  return squareRoot(baseRaw * quoteRaw);
}

/** The maximum LP tokens these amounts pay for at the pool's ratio. */
export function liquidityFor(
  reserves: PoolReserves,
  supplyRaw: bigint,
  { baseRaw, quoteRaw }: PoolReserves,
): bigint {
  if (reserves.baseRaw === 0n || reserves.quoteRaw === 0n) return 0n;
  const byBase = (baseRaw * supplyRaw) / reserves.baseRaw;
  const byQuote = (quoteRaw * supplyRaw) / reserves.quoteRaw;
  if (byBase < byQuote) return byBase;
  return byQuote;
}

/** The cost of minting LP tokens, rounded up. */
export function depositFor(reserves: PoolReserves, supplyRaw: bigint, lpRaw: bigint): PoolReserves {
  const share = (side: bigint) => divideUp(side * lpRaw, supplyRaw);
  return { baseRaw: share(reserves.baseRaw), quoteRaw: share(reserves.quoteRaw) };
}

/** The proceeds of burning LP tokens, rounded down. */
export function withdrawalFor(
  reserves: PoolReserves,
  supplyRaw: bigint,
  lpRaw: bigint,
): PoolReserves {
  return {
    baseRaw: (reserves.baseRaw * lpRaw) / supplyRaw,
    quoteRaw: (reserves.quoteRaw * lpRaw) / supplyRaw,
  };
}

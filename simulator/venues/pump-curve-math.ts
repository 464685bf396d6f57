import { feeOf, splitBudget } from './pump-fee.ts';

/** What a curve counts with; `real` is what it may still sell and what it has taken in. */
export interface CurveReserves {
  readonly virtualBaseRaw: bigint;
  readonly virtualQuoteRaw: bigint;
  readonly realBaseRaw: bigint;
  readonly realQuoteRaw: bigint;
}

export interface CurveFees {
  readonly protocolBps: bigint;
  readonly creatorBps: bigint;
}

/** A trade as a curve counts it. Fees come on top of a buy and off a sale. */
export interface CurveTrade {
  readonly baseRaw: bigint;
  /** What the curve receives or pays. */
  readonly quoteRaw: bigint;
  readonly protocolFeeRaw: bigint;
  readonly creatorFeeRaw: bigint;
}

/** How a launch begins: 30 SOL against 1.073e9 tokens, of which 793.1e6 are for sale. */
export const START_OF_CURVE: CurveReserves = {
  virtualBaseRaw: 1_073_000_000_000_000n,
  virtualQuoteRaw: 30_000_000_000n,
  realBaseRaw: 793_100_000_000_000n,
  realQuoteRaw: 0n,
};

/** Units of a launch, of which those not for sale go into the pool of the migration. */
export const SUPPLY_RAW = 1_000_000_000_000_000n;

/** What a migration keeps of a curve's lamports: rents of the new accounts, the rest a fee. */
export const MIGRATION_FEE_LAMPORTS = 15_000_001n;

/** Share of the protocol's fee that buys tokens back, always paid in the trade. */
export const BUYBACK_BPS = 5_000n;

/** In force since 2025-09-01 (solana.pump.fun/docs/fees). */
export const CURVE_FEES: CurveFees = { protocolBps: 95n, creatorBps: 30n };

/**
 * `buy_exact_sol_in`: what a budget buys, fees included (pump IDL). The last buy gets what is left
 * and pays for that alone. Nothing bought is a trade of zero tokens.
 */
export function buyWithBudget(
  reserves: CurveReserves,
  spendableRaw: bigint,
  fees: CurveFees,
): CurveTrade {
  const { netRaw, feesRaw } = splitBudget(spendableRaw, [fees.protocolBps, fees.creatorBps]);
  const [protocolFeeRaw = 0n, creatorFeeRaw = 0n] = feesRaw;
  const { virtualBaseRaw, virtualQuoteRaw, realBaseRaw } = reserves;
  if (netRaw <= 1n) return NOTHING;
  const baseRaw = ((netRaw - 1n) * virtualBaseRaw) / (virtualQuoteRaw + netRaw - 1n);
  if (baseRaw > realBaseRaw) return buyTokens(reserves, realBaseRaw, fees);
  return { baseRaw, quoteRaw: netRaw, protocolFeeRaw, creatorFeeRaw };
}

/** `buy`: what a number of tokens costs, at most those left. */
export function buyTokens(
  { virtualBaseRaw, virtualQuoteRaw, realBaseRaw }: CurveReserves,
  tokensRaw: bigint,
  fees: CurveFees,
): CurveTrade {
  const baseRaw = tokensRaw < realBaseRaw ? tokensRaw : realBaseRaw;
  if (baseRaw <= 0n) return NOTHING;
  const quoteRaw = (virtualQuoteRaw * baseRaw) / (virtualBaseRaw - baseRaw) + 1n;
  return withFees(baseRaw, quoteRaw, fees);
}

/** `sell`: what the curve pays for tokens, fees not yet off. */
export function sellTokens(
  { virtualBaseRaw, virtualQuoteRaw }: CurveReserves,
  baseRaw: bigint,
  fees: CurveFees,
): CurveTrade {
  if (baseRaw <= 0n) return NOTHING;
  return withFees(baseRaw, (baseRaw * virtualQuoteRaw) / (virtualBaseRaw + baseRaw), fees);
}

/** What a seller is paid; below zero when the fees are more than the tokens are worth. */
export function paidToSeller({ quoteRaw, protocolFeeRaw, creatorFeeRaw }: CurveTrade): bigint {
  return quoteRaw - protocolFeeRaw - creatorFeeRaw;
}

/** What a buyer pays in all. */
export function paidByBuyer({ quoteRaw, protocolFeeRaw, creatorFeeRaw }: CurveTrade): bigint {
  return quoteRaw + protocolFeeRaw + creatorFeeRaw;
}

/** The part of a trade's protocol fee that is paid out at once, whatever becomes of the rest. */
export function buybackOf({ protocolFeeRaw }: { readonly protocolFeeRaw: bigint }): bigint {
  return (protocolFeeRaw * BUYBACK_BPS) / 10_000n;
}

/** What stays in a curve of a trade that keeps its fees, beside the traded amount. */
export function keptOf(trade: CurveTrade): bigint {
  return trade.protocolFeeRaw - buybackOf(trade) + trade.creatorFeeRaw;
}

/** Reserves once a trade is done. */
export function reservesAfter(
  reserves: CurveReserves,
  { baseRaw, quoteRaw }: CurveTrade,
  isBuy: boolean,
): CurveReserves {
  const sign = isBuy ? 1n : -1n;
  return {
    virtualBaseRaw: reserves.virtualBaseRaw - sign * baseRaw,
    virtualQuoteRaw: reserves.virtualQuoteRaw + sign * quoteRaw,
    realBaseRaw: reserves.realBaseRaw - sign * baseRaw,
    realQuoteRaw: reserves.realQuoteRaw + sign * quoteRaw,
  };
}

/** What all tokens of the launch are worth at the curve's price. */
export function curveMarketCap({ virtualBaseRaw, virtualQuoteRaw }: CurveReserves): bigint {
  return (virtualQuoteRaw * SUPPLY_RAW) / virtualBaseRaw;
}

const NOTHING: CurveTrade = {
  baseRaw: 0n,
  quoteRaw: 0n,
  protocolFeeRaw: 0n,
  creatorFeeRaw: 0n,
};

/** A trade of these amounts with its fees, each rounded up. */
export function withFees(baseRaw: bigint, quoteRaw: bigint, fees: CurveFees): CurveTrade {
  return {
    baseRaw,
    quoteRaw,
    protocolFeeRaw: feeOf(quoteRaw, fees.protocolBps),
    creatorFeeRaw: feeOf(quoteRaw, fees.creatorBps),
  };
}

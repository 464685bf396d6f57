import { feeOf, splitBudget } from './pump-fee.ts';

/** The reserves of a curve; `real` is what it may still sell and what it has taken in. */
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

/** A trade in a curve's accounting. Fees are added to a buy and deducted from a sale. */
export interface CurveTrade {
  readonly baseRaw: bigint;
  /** The amount that the curve receives or pays. */
  readonly quoteRaw: bigint;
  readonly protocolFeeRaw: bigint;
  readonly creatorFeeRaw: bigint;
}

/** Initial reserves of a launch: 30 SOL against 1.073e9 tokens, of which 793.1e6 are for sale. */
export const START_OF_CURVE: CurveReserves = {
  virtualBaseRaw: 1_073_000_000_000_000n,
  virtualQuoteRaw: 30_000_000_000n,
  realBaseRaw: 793_100_000_000_000n,
  realQuoteRaw: 0n,
};

/** Supply of a launch in raw units; those not for sale go into the pool of the migration. */
export const SUPPLY_RAW = 1_000_000_000_000_000n;

/** A migration's deduction from a curve's lamports: rents of the new accounts, the rest a fee. */
export const MIGRATION_FEE_LAMPORTS = 15_000_001n;

/** Share of the protocol's fee that funds buybacks, always paid in the trade. */
export const BUYBACK_BPS = 5_000n;

/** In force since 2025-09-01 (solana.pump.fun/docs/fees). */
export const CURVE_FEES: CurveFees = { protocolBps: 95n, creatorBps: 30n };

/**
 * `buy_exact_sol_in`: the purchase for a budget including fees (pump IDL). The last buy gets the
 * remaining tokens and pays for those only. An empty purchase is a trade of zero tokens.
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

/** `buy`: the cost of a number of tokens, limited to those left. */
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

/** `sell`: the curve's payment for tokens, before fees. */
export function sellTokens(
  { virtualBaseRaw, virtualQuoteRaw }: CurveReserves,
  baseRaw: bigint,
  fees: CurveFees,
): CurveTrade {
  if (baseRaw <= 0n) return NOTHING;
  return withFees(baseRaw, (baseRaw * virtualQuoteRaw) / (virtualBaseRaw + baseRaw), fees);
}

/** The seller's proceeds; negative if the fees exceed the value of the tokens. */
export function paidToSeller({ quoteRaw, protocolFeeRaw, creatorFeeRaw }: CurveTrade): bigint {
  return quoteRaw - protocolFeeRaw - creatorFeeRaw;
}

/** The buyer's total payment. */
export function paidByBuyer({ quoteRaw, protocolFeeRaw, creatorFeeRaw }: CurveTrade): bigint {
  return quoteRaw + protocolFeeRaw + creatorFeeRaw;
}

/** The part of a trade's protocol fee that is paid out immediately, even if the rest is kept. */
export function buybackOf({ protocolFeeRaw }: { readonly protocolFeeRaw: bigint }): bigint {
  return (protocolFeeRaw * BUYBACK_BPS) / 10_000n;
}

/** The part of a trade that stays in a curve as kept fees, in addition to the traded amount. */
export function keptOf(trade: CurveTrade): bigint {
  return trade.protocolFeeRaw - buybackOf(trade) + trade.creatorFeeRaw;
}

/** Reserves after a trade. */
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

/** The value of all tokens of the launch at the curve's price. */
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

import { type Described, float, plain, record } from '../../model/codec.ts';

export const POOL_DEPTH = record({
  /** Logical time. */
  timeMs: plain<number>(),
  /** Robust price in dollars. */
  priceUsd: float,
  /**
   * Reserves that determine the price, including virtual ones of curves: whole tokens and dollars.
   */
  base: float,
  quoteUsd: float,
  /** The most that can be withdrawn. */
  realBase: float,
  realQuoteUsd: float,
  feeBps: float,
  solUsd: float,
});

/**
 * Computes fills by the constant product of a pool's reserves (METHODS §6.3), net of costs.
 * Concentrated-liquidity pools are treated alike, which overstates the cost of large orders. For
 * statistics, not for money: plain numbers.
 */
export interface PoolDepth extends Described<typeof POOL_DEPTH> {}

/** What a trade costs beside the fee of the pool. */
export interface TradeCosts {
  /** Share of the traded amount, charged by the trading terminal. */
  readonly terminalFee: number;
  /** Per side: tip, priority fee and rent. */
  readonly networkSol: number;
}

/** Those of signals (METHODS §6.3). */
export const SIGNAL_COSTS: TradeCosts = { terminalFee: 0.01, networkSol: 0.001 };

/** Tokens bought for an amount in dollars that includes all costs. */
export function buyTokens(depth: PoolDepth, ticketUsd: number, costs = SIGNAL_COSTS): number {
  const spentUsd = Math.max(0, ticketUsd - costs.networkSol * depth.solUsd);
  const inUsd = spentUsd * (1 - costs.terminalFee) * (1 - depth.feeBps / 10_000);
  return Math.min(swapOut(inUsd, depth.quoteUsd, depth.base), depth.realBase);
}

/** Dollars received for tokens after all costs, limited by the reserves; not below zero. */
export function sellTokens(depth: PoolDepth, tokens: number, costs = SIGNAL_COSTS): number {
  const inTokens = tokens * (1 - depth.feeBps / 10_000);
  const outUsd = Math.min(swapOut(inTokens, depth.base, depth.quoteUsd), depth.realQuoteUsd);
  return Math.max(0, outUsd * (1 - costs.terminalFee) - costs.networkSol * depth.solUsd);
}

function swapOut(amountIn: number, reserveIn: number, reserveOut: number): number {
  const sum = reserveIn + amountIn;
  return sum > 0 ? (reserveOut * amountIn) / sum : 0;
}

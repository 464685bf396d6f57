/**
 * What a pool would have given, by the constant product of its reserves (METHODS §6.3), and what it
 * costs. Pools with liquidity in ranges are taken by the same rule, which makes large orders dearer
 * than they are there. Statistics, not money: plain numbers.
 */
export interface PoolDepth {
  /** Logical time. */
  readonly timeMs: number;
  /** Robust price in dollars. */
  readonly priceUsd: number;
  /** Reserves that make the price, virtual ones of curves included: whole tokens, and dollars. */
  readonly base: number;
  readonly quoteUsd: number;
  /** Most that can be taken out. */
  readonly realBase: number;
  readonly realQuoteUsd: number;
  readonly feeBps: number;
  readonly solUsd: number;
}

/** Of what is traded, to the terminal that sends it. */
const TERMINAL_FEE = 0.01;
/** Of each side: tip, priority fee and rent. */
const NETWORK_COST_SOL = 0.001;

/** Tokens that are got for so many dollars, everything paid included. */
export function buyTokens(depth: PoolDepth, ticketUsd: number): number {
  const spentUsd = Math.max(0, ticketUsd - NETWORK_COST_SOL * depth.solUsd);
  const inUsd = spentUsd * (1 - TERMINAL_FEE) * (1 - depth.feeBps / 10_000);
  return Math.min(swapOut(inUsd, depth.quoteUsd, depth.base), depth.realBase);
}

/** Dollars that are left of selling so many tokens: as much as the reserves allow, at worst none. */
export function sellTokens(depth: PoolDepth, tokens: number): number {
  const inTokens = tokens * (1 - depth.feeBps / 10_000);
  const outUsd = Math.min(swapOut(inTokens, depth.base, depth.quoteUsd), depth.realQuoteUsd);
  return Math.max(0, outUsd * (1 - TERMINAL_FEE) - NETWORK_COST_SOL * depth.solUsd);
}

function swapOut(amountIn: number, reserveIn: number, reserveOut: number): number {
  const sum = reserveIn + amountIn;
  return sum > 0 ? (reserveOut * amountIn) / sum : 0;
}

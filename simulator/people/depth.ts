import type { Side } from '../../src/model/swap.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { Market } from '../venues/market.ts';

/**
 * A pool approximated as a constant product with a fee, derived from its price and two quotes: for
 * decisions, not for accounting.
 */
export interface SeenDepth {
  /** Quote units on the pool's side, including virtual ones. */
  readonly quoteRaw: number;
  readonly baseRaw: number;
  /** Share of the payment that is not traded. */
  readonly feeShare: number;
}

/** Amounts of lamports whose quotes reveal fee and depth. */
const SMALL_RAW = 10_000_000n;
const LARGE_RAW = 10_000_000_000n;

/** Null if the pool returns nothing. */
export function seeDepth(market: Market, ledger: Ledger): SeenDepth | null {
  const price = market.spotPrice(ledger);
  const small = keptShare(market, ledger, SMALL_RAW, price);
  const large = keptShare(market, ledger, LARGE_RAW, price);
  if (!(small > large && large > 0)) return null;
  // out * price / in = kept * depth / (depth + kept * in), at two sizes.
  const [x, y] = [Number(SMALL_RAW), Number(LARGE_RAW)];
  const kept = (1 - x / y) / (1 / small - x / y / large);
  const quoteRaw = (y * large * kept) / (kept - large);
  return { quoteRaw, baseRaw: quoteRaw / price, feeShare: 1 - kept };
}

function keptShare(market: Market, ledger: Ledger, lamports: bigint, price: number): number {
  return (Number(market.quote(ledger, 'buy', lamports)) * price) / Number(lamports);
}

export interface SeenTrade {
  readonly out: number;
  readonly after: SeenDepth;
}

/** The result of a trade, and the pool after it. */
export function seeTrade(depth: SeenDepth, side: Side, amountIn: number): SeenTrade {
  const kept = 1 - depth.feeShare;
  const { quoteRaw, baseRaw } = depth;
  if (side === 'buy') {
    const net = amountIn * kept;
    const out = (baseRaw * net) / (quoteRaw + net);
    return { out, after: { ...depth, quoteRaw: quoteRaw + net, baseRaw: baseRaw - out } };
  }
  const gross = (quoteRaw * amountIn) / (baseRaw + amountIn);
  const after = { ...depth, quoteRaw: quoteRaw - gross, baseRaw: baseRaw + amountIn };
  return { out: gross * kept, after };
}

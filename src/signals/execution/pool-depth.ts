import type { PoolRecord } from '../../model/pool-record.ts';
import { effectiveReserves, withdrawableQuote } from '../../model/reserves.ts';
import type { PriceE18 } from '../../model/units.ts';
import type { PoolDepth } from './fill.ts';

/** The parts of trading costs that are not in a pool's record. */
export interface DepthTerms {
  readonly timeMs: number;
  readonly feeBps: number;
  readonly solUsd: PriceE18;
}

/** The state of a pool that determines fills; null if price or reserves are unknown. */
export function poolDepth(
  pool: PoolRecord,
  { timeMs, feeBps, solUsd }: DepthTerms,
): PoolDepth | null {
  const { reserves, price, priceUsd } = pool;
  if (reserves === null || price === null || priceUsd === null || price === 0n) return null;
  const { base, quote } = effectiveReserves(reserves);
  const usdPerQuote = Number(priceUsd) / Number(price);
  const inTokens = (raw: bigint) => Number(raw) / 10 ** pool.baseDecimals;
  const inUsd = (raw: bigint) => (Number(raw) / 10 ** pool.quoteDecimals) * usdPerQuote;
  return {
    timeMs,
    priceUsd: Number(priceUsd) / 1e18,
    base: inTokens(base),
    quoteUsd: inUsd(quote),
    realBase: inTokens(reserves.base),
    realQuoteUsd: inUsd(withdrawableQuote(reserves)),
    feeBps,
    solUsd: Number(solUsd) / 1e18,
  };
}

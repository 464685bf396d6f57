import type { TokenRecord } from '../../model/token-record.ts';
import type { Address, PriceE18 } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';

export const UNKNOWN_SYMBOL = 'This symbol is no known token or pool.';

/** The token of a symbol of charts, if it is known, and the price of the token or of the pool. */
export interface UdfSymbol {
  readonly token: TokenRecord | null;
  readonly priceUsd: PriceE18 | null;
}

/** A token by its mint, or a pool by its address; null if neither is known. */
export async function findUdfSymbol(
  { tokens, pools }: Pick<ApiDeps, 'tokens' | 'pools'>,
  symbol: Address,
): Promise<UdfSymbol | null> {
  const token = await tokens.find(symbol);
  if (token !== null) return { token, priceUsd: token.priceUsd };
  const pool = await pools.find(symbol);
  if (pool === null) return null;
  return { token: await tokens.find(pool.baseMint), priceUsd: pool.priceUsd };
}

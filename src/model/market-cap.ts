import { divide } from '../lib/decimal.ts';
import type { TokenRecord } from './token-record.ts';
import {
  asUsdNano,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  USD_NANO_SCALE,
  type UsdNano,
} from './units.ts';

/** The value of an amount of a token at a price, rounded half up. */
export function marketCapUsd(priceUsd: PriceE18, supplyRaw: bigint, decimals: number): UsdNano {
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  return asUsdNano(divide(supplyRaw * priceUsd, scale, 'half-up'));
}

/**
 * The supply of a token less what burn addresses hold, at a price; null while one of them is unknown.
 */
export function circulatingValue(
  { supplyRaw, burnedRaw, decimals }: Pick<TokenRecord, 'supplyRaw' | 'burnedRaw' | 'decimals'>,
  priceUsd: PriceE18 | null,
): UsdNano | null {
  if (supplyRaw === null || decimals === null || priceUsd === null) return null;
  return marketCapUsd(priceUsd, supplyRaw - burnedRaw, decimals);
}

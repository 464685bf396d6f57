import { divide } from '../../lib/decimal.ts';
import {
  asUsdNano,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  USD_NANO_SCALE,
  type UsdNano,
} from '../../model/units.ts';

/** The value of an amount of a token at a price, rounded half up. */
export function marketCapUsd(priceUsd: PriceE18, supplyRaw: bigint, decimals: number): UsdNano {
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  return asUsdNano(divide(supplyRaw * priceUsd, scale, 'half-up'));
}

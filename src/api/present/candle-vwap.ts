import { mulDiv } from '../../lib/decimal.ts';
import type { Candle } from '../../model/derived.ts';
import {
  asPriceE18,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  USD_NANO_SCALE,
} from '../../model/units.ts';

type VwapCandle = Pick<Candle, 'pricingUsd' | 'pricingBaseRaw' | 'baseDecimals' | 'trades'> & {
  readonly usd: NonNullable<Candle['usd']>;
};

let contradictions = 0;

/** Number of candles so far whose sums contradict their range. Any is a defect. */
export function vwapContradictions(): number {
  return contradictions;
}

/**
 * Value per base token of the trades that set the prices of a candle, between its low and its high;
 * the close where none did. Null, and counted, if the sums contradict the range.
 *
 * The exact quotient of the trades' exact values lies between the lowest and the highest exact price,
 * as any weighted mean does, and rounding all three to the same grid of 10^-18 keeps their order. Only
 * the values are rounded before they are added, each to the nearest nano-dollar. So the sum is off by
 * at most half a nano-dollar for each trade, and no more than that is moved into the range.
 */
export function vwapOf({
  usd,
  pricingUsd,
  pricingBaseRaw,
  baseDecimals,
  trades,
}: VwapCandle): PriceE18 | null {
  if (pricingBaseRaw === 0n) return usd.close;
  const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_NANO_SCALE);
  /** In half nano-dollars, so that the margin is a whole number. */
  const priceOf = (halves: bigint) => mulDiv(halves, scale, 2n * pricingBaseRaw, 'half-up');
  const sum = 2n * pricingUsd;
  const price = priceOf(sum);
  const margin = BigInt(trades);
  if (price >= usd.low && price <= usd.high) return asPriceE18(price);
  if (price < usd.low && priceOf(sum + margin) >= usd.low) return usd.low;
  if (price > usd.high && priceOf(sum - margin) <= usd.high) return usd.high;
  contradictions++;
  return null;
}

import { absolute } from '../../lib/decimal.ts';
import type { Candle, OpenHighLowClose, PricedSwap } from '../../model/derived.ts';
import { asRawAmount, asUsdNano, type PriceE18 } from '../../model/units.ts';

/** The price ranges of a period, in quote and in USD, and the trades that set the latter. Immutable. */
export type PriceRanges = Pick<Candle, 'quote' | 'usd' | 'pricingBaseRaw' | 'pricingUsd'>;

/** A trade that may set a price. */
export interface PricingTrade extends Pick<PricedSwap, 'price' | 'priceUsd' | 'valueUsd'> {
  /** The base amount of the trade, not negative. */
  readonly baseRaw: bigint;
}

export function pricingTradeOf({ price, priceUsd, valueUsd, swap }: PricedSwap): PricingTrade {
  return { price, priceUsd, valueUsd, baseRaw: absolute(swap.poolBaseDelta) };
}

export const NO_RANGES: PriceRanges = {
  quote: null,
  usd: null,
  pricingBaseRaw: asRawAmount(0n),
  pricingUsd: asUsdNano(0n),
};

/** Adds a trade that may set a price. A mint (`isPool` false) has no quote range. */
export function withTrade(
  ranges: PriceRanges,
  { price, priceUsd, valueUsd, baseRaw }: PricingTrade,
  isPool: boolean,
): PriceRanges {
  const quote = isPool && price !== null ? withPrice(ranges.quote, price) : ranges.quote;
  if (priceUsd === null) return quote === ranges.quote ? ranges : { ...ranges, quote };
  const usd = withPrice(ranges.usd, priceUsd);
  let { pricingBaseRaw, pricingUsd } = ranges;
  if (valueUsd !== null) {
    pricingBaseRaw = asRawAmount(pricingBaseRaw + baseRaw);
    pricingUsd = asUsdNano(pricingUsd + valueUsd);
  }
  return { quote, usd, pricingBaseRaw, pricingUsd };
}

/** The ranges of two consecutive periods. */
export function joinRanges(earlier: PriceRanges, later: PriceRanges): PriceRanges {
  return {
    quote: join(earlier.quote, later.quote),
    usd: join(earlier.usd, later.usd),
    pricingBaseRaw: asRawAmount(earlier.pricingBaseRaw + later.pricingBaseRaw),
    pricingUsd: asUsdNano(earlier.pricingUsd + later.pricingUsd),
  };
}

export function isSameRanges(one: PriceRanges, other: PriceRanges): boolean {
  return (
    isSame(one.quote, other.quote) &&
    isSame(one.usd, other.usd) &&
    one.pricingBaseRaw === other.pricingBaseRaw &&
    one.pricingUsd === other.pricingUsd
  );
}

/** Adds a price. Returns the same object if nothing changes. */
function withPrice(range: OpenHighLowClose | null, price: PriceE18): OpenHighLowClose {
  if (range === null) return { open: price, high: price, low: price, close: price };
  const { open, high, low, close } = range;
  if (price === close) return range;
  return { open, high: price > high ? price : high, low: price < low ? price : low, close: price };
}

function join(
  earlier: OpenHighLowClose | null,
  later: OpenHighLowClose | null,
): OpenHighLowClose | null {
  if (earlier === null || later === null) return earlier ?? later;
  return { ...withPrice(withPrice(earlier, later.high), later.low), close: later.close };
}

function isSame(one: OpenHighLowClose | null, other: OpenHighLowClose | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.open === other.open &&
    one.high === other.high &&
    one.low === other.low &&
    one.close === other.close
  );
}

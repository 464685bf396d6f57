import type { OpenHighLowClose, PricedSwap } from '../../model/derived.ts';
import type { PriceE18 } from '../../model/units.ts';

/** The price ranges of a period, in quote and in USD. Immutable. */
export interface PriceRanges {
  readonly quote: OpenHighLowClose | null;
  readonly usd: OpenHighLowClose | null;
}

export const NO_RANGES: PriceRanges = { quote: null, usd: null };

/** Adds a trade that may set a price. A mint (`isPool` false) has no quote range. */
export function withTrade(
  ranges: PriceRanges,
  { price, priceUsd }: Pick<PricedSwap, 'price' | 'priceUsd'>,
  isPool: boolean,
): PriceRanges {
  const quote = isPool && price !== null ? withPrice(ranges.quote, price) : ranges.quote;
  const usd = priceUsd !== null ? withPrice(ranges.usd, priceUsd) : ranges.usd;
  return quote === ranges.quote && usd === ranges.usd ? ranges : { quote, usd };
}

/** The ranges of two consecutive periods. */
export function joinRanges(earlier: PriceRanges, later: PriceRanges): PriceRanges {
  return { quote: join(earlier.quote, later.quote), usd: join(earlier.usd, later.usd) };
}

export function isSameRanges(one: PriceRanges, other: PriceRanges): boolean {
  return isSame(one.quote, other.quote) && isSame(one.usd, other.usd);
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

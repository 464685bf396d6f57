import type { OpenHighLowClose, PricedSwap } from '../../model/derived.ts';
import type { PriceE18 } from '../../model/units.ts';

/** What trades of a span of time say of the price, in quote and in USD. Values, never mutated. */
export interface PriceRanges {
  readonly quote: OpenHighLowClose | null;
  readonly usd: OpenHighLowClose | null;
}

export const NO_RANGES: PriceRanges = { quote: null, usd: null };

/** The ranges after one more trade, which may set a price. A mint (`isPool` false) has no quote. */
export function withTrade(
  ranges: PriceRanges,
  { price, priceUsd }: PricedSwap,
  isPool: boolean,
): PriceRanges {
  const quote = isPool && price !== null ? withPrice(ranges.quote, price) : ranges.quote;
  const usd = priceUsd !== null ? withPrice(ranges.usd, priceUsd) : ranges.usd;
  return quote === ranges.quote && usd === ranges.usd ? ranges : { quote, usd };
}

/** The ranges of two spans of time, `earlier` before `later`. */
export function joinRanges(earlier: PriceRanges, later: PriceRanges): PriceRanges {
  return { quote: join(earlier.quote, later.quote), usd: join(earlier.usd, later.usd) };
}

export function isSameRanges(one: PriceRanges, other: PriceRanges): boolean {
  return isSame(one.quote, other.quote) && isSame(one.usd, other.usd);
}

/** The range after one more price; the same object when the price changes nothing. */
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

import type { Candle, PricedSwap } from '../../model/derived.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { assertInterval, bucketStart } from './candle-merge.ts';
import { addTrade, createSums, presentCandle } from './candle-sums.ts';
import { NO_RANGES, pricingTradeOf, withTrade } from './price-ranges.ts';

export interface SwapCandleOptions {
  readonly scope: Address;
  readonly intervalMs: number;
  readonly supplyRaw: RawAmount | null;
  /** Buckets that end by this time are final. */
  readonly settledUntilMs: number;
}

/**
 * Builds candles of any interval directly from trades in log order, for intervals shorter than the
 * base interval. The scope is the pool of all `swaps`, or their base mint; a mint's candle has no
 * quote prices.
 */
export function candlesOfSwaps(swaps: readonly PricedSwap[], options: SwapCandleOptions): Candle[] {
  assertInterval(options.intervalMs);
  const candles: Candle[] = [];
  for (let start = 0; start < swaps.length; ) {
    const first = swaps[start] as PricedSwap;
    const openTimeMs = bucketStart(first.timeMs, options.intervalMs);
    const endTimeMs = openTimeMs + options.intervalMs;
    let end = start + 1;
    while (end < swaps.length && (swaps[end] as PricedSwap).timeMs < endTimeMs) end++;
    candles.push(candleOf(swaps.slice(start, end), first, openTimeMs, options));
    start = end;
  }
  return candles;
}

function candleOf(
  swaps: readonly PricedSwap[],
  first: PricedSwap,
  openTimeMs: number,
  { scope, intervalMs, supplyRaw, settledUntilMs }: SwapCandleOptions,
): Candle {
  const isPool = scope === first.swap.pool;
  const sums = createSums();
  let ranges = NO_RANGES;
  let { slot } = first;
  for (const priced of swaps) {
    addTrade(sums, priced, isPool);
    slot = priced.slot;
    const setsPrice = priced.exclusion === null && (isPool || priced.setsTokenPrice);
    if (setsPrice) ranges = withTrade(ranges, pricingTradeOf(priced), isPool);
  }
  const { baseDecimals } = first.swap;
  const isFinal = openTimeMs + intervalMs <= settledUntilMs;
  return presentCandle({ scope, openTimeMs, baseDecimals, supplyRaw, isFinal, slot }, ranges, sums);
}

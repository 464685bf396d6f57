import type { Candle, OpenHighLowClose, PricedSwap } from '../model/derived.ts';
import type { Address, RawAmount } from '../model/units.ts';
import { assertInterval, bucketStart } from './candle-merge.ts';
import { addTrade, createSums, presentSums, withPrice } from './candle-sums.ts';

export interface SwapCandleOptions {
  readonly scope: Address;
  readonly intervalMs: number;
  /** Pool whose trades set prices: the scope itself, or the primary pool of a mint. */
  readonly pricePool: Address;
  readonly supplyRaw: RawAmount | null;
  /** Buckets that end by this time are final. */
  readonly settledUntilMs: number;
}

/**
 * Candles of any interval straight from trades in log order: for intervals finer than the base.
 * The scope is the pool of all `swaps`, or their base mint; a mint's candle has no quote prices.
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
  options: SwapCandleOptions,
): Candle {
  const isPool = options.scope === first.swap.pool;
  const sums = createSums();
  let quote: OpenHighLowClose | null = null;
  let usd: OpenHighLowClose | null = null;
  let last = first;
  for (const priced of swaps) {
    addTrade(sums, priced);
    last = priced;
    if (priced.exclusion !== null || priced.swap.pool !== options.pricePool) continue;
    if (isPool && priced.price !== null) quote = withPrice(quote, priced.price);
    if (priced.priceUsd !== null) usd = withPrice(usd, priced.priceUsd);
  }
  return {
    scope: options.scope,
    openTimeMs,
    quote,
    usd,
    ...presentSums(sums, isPool),
    baseDecimals: first.swap.baseDecimals,
    supplyRaw: options.supplyRaw,
    isFinal: openTimeMs + options.intervalMs <= options.settledUntilMs,
    slot: last.slot,
  };
}

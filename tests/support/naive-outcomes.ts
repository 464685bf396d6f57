import { expect } from 'vitest';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { Outcome, Signal } from '../../src/model/signal.ts';
import type { Address } from '../../src/model/units.ts';

/** METHODS §6.2, from prices alone, all signals together and each from the beginning. */
const DAY_MS = 86_400_000;
const HORIZON_MS = { shown: 30 * DAY_MS, control: 25 * 3_600_000 } as const;
const DEAD_MS = 3 * DAY_MS;

export interface NaiveOutcome {
  readonly highPriceUsd: bigint;
  /** Lowest price before the high, the high's own slot included. */
  readonly lowPriceUsd: bigint;
}

interface PricedSlot {
  readonly slot: number;
  readonly timeMs: number;
  readonly priceUsd: bigint;
  readonly lastSwapMs: number;
}

/** The outcome of a signal according to the prices of the slots. */
export function naiveOutcome(signal: Signal, changes: readonly SlotChanges[]): NaiveOutcome {
  const prices = pricesOf(signal.mint, changes).filter(({ slot }) => slot >= signal.slot + 2);
  const end = prices.findIndex((price, at) => {
    const swapsMs = prices.slice(0, at).map(({ lastSwapMs }) => lastSwapMs);
    const lastSwapMs = Math.max(signal.createdAtMs, ...swapsMs);
    const kind = signal.model === 'random_minute' ? 'control' : 'shown';
    return (
      price.timeMs >= signal.createdAtMs + HORIZON_MS[kind] || price.timeMs >= lastSwapMs + DEAD_MS
    );
  });
  const seen = (end === -1 ? prices : prices.slice(0, end)).map(({ priceUsd }) => priceUsd);
  if (seen.length === 0) return { highPriceUsd: signal.priceUsd, lowPriceUsd: signal.priceUsd };
  const highPriceUsd = inOrder(seen).at(-1) ?? signal.priceUsd;
  const before = seen.slice(0, seen.indexOf(highPriceUsd) + 1);
  return { highPriceUsd, lowPriceUsd: inOrder(before)[0] ?? highPriceUsd };
}

function inOrder(prices: readonly bigint[]): bigint[] {
  return prices.toSorted((one, other) => (one < other ? -1 : 1));
}

/** The last published outcome of each signal, by number. */
export function lastPublished(changes: readonly SlotChanges[]): ReadonlyMap<number, Outcome> {
  const published = changes.flatMap(({ outcomes }) => outcomes);
  return new Map(published.map((outcome) => [outcome.rowId, outcome]));
}

/**
 * Compares the published outcome of a signal with the prices. Percentages are checked by their
 * defining property: correct to the nearest unit of nine decimals.
 */
export function expectOutcomeAsPrices(
  signal: Signal,
  outcome: Outcome | undefined,
  changes: readonly SlotChanges[],
): void {
  if (outcome === undefined) throw new Error(`no outcome of signal ${signal.rowId} was published`);
  const { highPriceUsd, lowPriceUsd } = naiveOutcome(signal, changes);
  expect(outcome).toMatchObject({ highPriceUsd, lowPriceUsd });
  const { priceUsd, supplyRaw, decimals } = signal;
  expectPercent(outcome.roiE9, highPriceUsd - priceUsd, priceUsd);
  const fallen = lowPriceUsd < priceUsd ? priceUsd - lowPriceUsd : 0n;
  expectPercent(outcome.maxDrawdownE9, fallen, priceUsd);
  // Nano-dollars of so many raw tokens at a price with 18 decimals.
  const scale = 10n ** BigInt(decimals + 18 - 9);
  const { athMarketCapUsd, maxDrawdownMarketCapUsd } = outcome;
  expect(distance(athMarketCapUsd * scale, highPriceUsd * supplyRaw)).toBeLessThan(scale);
  expect(distance(maxDrawdownMarketCapUsd * scale, lowPriceUsd * supplyRaw)).toBeLessThan(scale);
}

function expectPercent(percentE9: bigint, part: bigint, whole: bigint): void {
  const isNearest = 2n * distance(percentE9 * whole, part * 100n * 10n ** 9n) <= whole;
  expect(isNearest, `${percentE9} of ${part} in ${whole}`).toBe(true);
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

/** Price of the pool that was the mint's primary one at the end of the slot. */
function pricesOf(mint: Address, changes: readonly SlotChanges[]): PricedSlot[] {
  let primary: Address | null = null;
  return changes.flatMap(({ slot, timeMs, tokens, pools }) => {
    for (const token of tokens) if (token.mint === mint) primary = token.primaryPool;
    const found = pools.find(({ pool }) => pool === primary);
    if (found === undefined || found.priceUsd === null) return [];
    const lastSwapMs = found.lastSwapMs ?? timeMs;
    return [{ slot, timeMs, priceUsd: found.priceUsd, lastSwapMs }];
  });
}

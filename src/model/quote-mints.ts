import { USDC, USDT, WRAPPED_SOL } from './program.ts';
import type { Address } from './units.ts';

const RANK: ReadonlyMap<Address, number> = new Map([
  [USDC, 3],
  [USDT, 2],
  [WRAPPED_SOL, 1],
]);

/**
 * Which of a pair's two mints is the quote. Stablecoins quote everything, SOL quotes everything but
 * stablecoins; between two others the greater text is the quote, so that the answer never depends
 * on the direction of the swap that happens to be read first.
 */
export function quoteOf(one: Address, other: Address): Address {
  const difference = (RANK.get(one) ?? 0) - (RANK.get(other) ?? 0);
  if (difference !== 0) return difference > 0 ? one : other;
  return one > other ? one : other;
}

export function isStable(mint: Address): boolean {
  return mint === USDC || mint === USDT;
}

/** Mints that others are priced in: SOL and the stablecoins. */
export function isQuoteMint(mint: Address): boolean {
  return RANK.has(mint);
}

import { USDC, USDT, WRAPPED_SOL } from './program.ts';
import type { Address } from './units.ts';

const RANK: ReadonlyMap<Address, number> = new Map([
  [USDC, 3],
  [USDT, 2],
  [WRAPPED_SOL, 1],
]);

/** Mints that others are priced in: SOL and the stablecoins. */
export const QUOTE_MINTS: readonly Address[] = [...RANK.keys()];

/**
 * The quote of a pair of mints. Stablecoins quote everything, and SOL quotes everything except
 * stablecoins. Of two other mints the lexically greater address is the quote, so that the result
 * never depends on the direction of the swap that is read first.
 */
export function quoteOf(one: Address, other: Address): Address {
  const difference = (RANK.get(one) ?? 0) - (RANK.get(other) ?? 0);
  if (difference !== 0) return difference > 0 ? one : other;
  return one > other ? one : other;
}

export function isStable(mint: Address): boolean {
  return mint === USDC || mint === USDT;
}

/** True for mints that others are priced in: SOL and the stablecoins. */
export function isQuoteMint(mint: Address): boolean {
  return RANK.has(mint);
}

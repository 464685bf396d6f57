import type { Address, PriceE18, Slot, UsdNano } from './units.ts';

/** A token that prices another one, and the pool that prices it. */
export interface QuoteLink {
  readonly mint: Address;
  readonly pool: Address;
}

/**
 * How a token that others are quoted in came to its USD price: through its primary pool, and the
 * primary pool of what that one is quoted in, until SOL or a stablecoin is reached.
 */
export interface QuoteChain {
  /** USD per whole token of the first link. */
  readonly usd: PriceE18;
  /** From the token itself to the one that is quoted in SOL or a stablecoin. */
  readonly links: readonly QuoteLink[];
  /** SOL or a stablecoin. */
  readonly reference: Address;
  /** In which the price of the link was set that was not set for longest, and how long before. */
  readonly setSlot: Slot;
  readonly ageMs: number;
  /** Liquidity of the thinnest link: twice the USD value of its pool's quote side. */
  readonly thinnestUsd: UsdNano;
  /**
   * A link's token was sold on a launchpad's curve. Null when none is known to have been and the
   * beginning of one is older than the held history.
   */
  readonly hasLaunchpadCoin: boolean | null;
}

/** USD per whole quote token: as it is known of SOL and stablecoins, of others with its origin. */
export type QuotePrice = PriceE18 | QuoteChain;

/** Total: null stays null. */
export function usdOfQuote(price: QuotePrice | null): PriceE18 | null {
  return typeof price === 'object' ? (price?.usd ?? null) : price;
}

/** The origin of a price; null for one that is known directly, and for none. */
export function chainOfQuote(price: QuotePrice | null): QuoteChain | null {
  return typeof price === 'object' ? price : null;
}

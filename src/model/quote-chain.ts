import type { Address, PriceE18, Slot, UsdNano } from './units.ts';

/** A token that prices another one, and the pool that prices it. */
export interface QuoteLink {
  readonly mint: Address;
  readonly pool: Address;
}

/**
 * Derivation of the USD price of a token that others are quoted in: through its primary pool, then
 * the primary pool of that pool's quote, until SOL or a stablecoin is reached.
 */
export interface QuoteChain {
  /** USD per whole token of the first link. */
  readonly usd: PriceE18;
  /** From the token itself to the one that is quoted in SOL or a stablecoin. */
  readonly links: readonly QuoteLink[];
  /** SOL or a stablecoin. */
  readonly reference: Address;
  /**
   * Slot of the oldest price among the links (the one set longest ago), and the age of that price.
   */
  readonly setSlot: Slot;
  readonly ageMs: number;
  /** Liquidity of the thinnest link: twice the USD value of its pool's quote side. */
  readonly thinnestUsd: UsdNano;
  /**
   * True when a link's token was sold on a launchpad curve. Null when none is known to have been
   * and the start of at least one is older than the recorded history.
   */
  readonly hasLaunchpadCoin: boolean | null;
}

/**
 * USD per whole quote token: the price alone for SOL and stablecoins, with its derivation for
 * others.
 */
export type QuotePrice = PriceE18 | QuoteChain;

/** The USD price; null for null. */
export function usdOfQuote(price: QuotePrice | null): PriceE18 | null {
  return typeof price === 'object' ? (price?.usd ?? null) : price;
}

/** The derivation of a price; null for a directly known price and for null. */
export function chainOfQuote(price: QuotePrice | null): QuoteChain | null {
  return typeof price === 'object' ? price : null;
}

import { type Described, list, plain, record } from './codec.ts';
import type { PriceE18, Slot } from './units.ts';
import { address, price, usd } from './value-codecs.ts';

export const QUOTE_LINK = record({
  mint: address,
  pool: address,
});

/** A token that prices another one, and the pool that prices it. */
export interface QuoteLink extends Described<typeof QUOTE_LINK> {}

export const QUOTE_CHAIN = record({
  /** USD per whole token of the first link. */
  usd: price,
  /** From the token itself to the one that is quoted in SOL or a stablecoin. */
  links: list(QUOTE_LINK),
  /** SOL or a stablecoin. */
  reference: address,
  /**
   * Slot of the oldest price among the links (the one set longest ago), and the age of that price.
   */
  setSlot: plain<Slot>(),
  ageMs: plain<number>(),
  /** Liquidity of the thinnest link: twice the USD value of its pool's quote side. */
  thinnestUsd: usd,
  /**
   * True when a link's token was sold on a launchpad curve. Null when none is known to have been
   * and the start of at least one is older than the recorded history.
   */
  hasLaunchpadCoin: plain<boolean | null>(),
});

/**
 * Derivation of the USD price of a token that others are quoted in: through its primary pool, then
 * the primary pool of that pool's quote, until SOL or a stablecoin is reached.
 */
export interface QuoteChain extends Described<typeof QUOTE_CHAIN> {}

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

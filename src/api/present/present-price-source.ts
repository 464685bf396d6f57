import type { Static } from 'typebox';
import type { QuoteChain } from '../../model/quote-chain.ts';
import type { PriceSource } from '../schemas/price-source.ts';
import { formatDigits, formatPrice, formatUsd } from './format-wire.ts';

/** Two digits, like all durations in seconds. */
const SECOND_DIGITS = 2;

/** The price source on the wire; null stays null. */
export function presentPriceSource(chain: QuoteChain | null): Static<typeof PriceSource> | null {
  if (chain === null) return null;
  return {
    hops: chain.links.map(({ mint, pool }) => ({ token_address: mint, pair_address: pool })),
    reference_address: chain.reference,
    quote_price_usd: formatPrice(chain.usd),
    price_set_slot: chain.setSlot,
    age_seconds: formatDigits(chain.ageMs / 1_000, SECOND_DIGITS),
    thinnest_liquidity_usd: formatUsd(chain.thinnestUsd),
    depends_on_launchpad_coin: chain.hasLaunchpadCoin,
  };
}

import type { QuoteChain, QuoteLink } from '../../model/quote-chain.ts';
import { address, flag, integer, list, nullable, price, rounded, usd } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const Hop = wireRecord<QuoteLink>()(
  {
    token_address: [address, 'mint'],
    pair_address: [address, 'pool', 'Pool that sets the price of the token.'],
  },
  { title: 'PriceHop' },
);

/**
 * How a USD price is derived when its pool is quoted in a token other than SOL or a stablecoin
 * (decision 0032).
 */
export const PriceSource = wireRecord<QuoteChain>()(
  {
    hops: [
      list(Hop),
      'links',
      'Conversion steps, from the quote token of the pool to the token quoted in the reference.',
    ],
    reference_address: [address, 'reference', 'Address of SOL or of a stablecoin.'],
    quote_price_usd: [price, 'usd', 'US dollar price of the first token in hops.'],
    price_set_slot: [integer, 'setSlot', 'Slot of the trade that set the oldest price in hops.'],
    age_seconds: [
      rounded(2),
      ({ ageMs }) => ageMs / 1_000,
      'Seconds between that trade and the trade that set price_usd.',
    ],
    thinnest_liquidity_usd: [
      usd,
      'thinnestUsd',
      'Twice the quote side of the least liquid pool in hops, in US dollars.',
    ],
    depends_on_launchpad_coin: [
      nullable(flag),
      'hasLaunchpadCoin',
      'Whether a token in hops was sold on a launchpad curve; null if none is known to have ' +
        'been and at least one is older than the retained history.',
    ],
  },
  {
    title: 'PriceSource',
    description:
      'How price_usd is derived when the pool is quoted in another token, as of the trade that ' +
      'set the price. Null for a pool quoted in SOL or a stablecoin, and when there is no ' +
      'price.',
  },
);

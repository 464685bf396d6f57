import { Type } from 'typebox';
import { AddressText, DecimalText, Nullable } from './wire.ts';

const Hop = Type.Object({
  token_address: AddressText,
  pair_address: Type.String({ description: 'Pool that sets the price of the token.' }),
});

/**
 * How a USD price is derived when its pool is quoted in a token other than SOL or a stablecoin
 * (decision 0032).
 */
export const PriceSource = Type.Object(
  {
    hops: Type.Array(Hop, {
      description:
        'Conversion steps, from the quote token of the pool to the token quoted in the reference.',
    }),
    reference_address: Type.String({ description: 'Address of SOL or of a stablecoin.' }),
    quote_price_usd: DecimalText('US dollar price of the first token in hops.'),
    price_set_slot: Type.Integer({
      description: 'Slot of the trade that set the oldest price in hops.',
    }),
    age_seconds: DecimalText('Seconds between that trade and the trade that set price_usd.'),
    thinnest_liquidity_usd: DecimalText(
      'Twice the quote side of the least liquid pool in hops, in US dollars.',
    ),
    depends_on_launchpad_coin: Nullable(
      Type.Boolean({
        description:
          'Whether a token in hops was sold on a launchpad curve; null if none is known to have ' +
          'been and at least one is older than the retained history.',
      }),
    ),
  },
  {
    description:
      'How price_usd is derived when the pool is quoted in another token, as of the trade that ' +
      'set the price. Null for a pool quoted in SOL or a stablecoin, and when there is no ' +
      'price.',
  },
);

import { Type } from 'typebox';
import { AddressText, DecimalText, Nullable } from './wire.ts';

const Hop = Type.Object({
  token_address: AddressText,
  pair_address: Type.String({ description: 'Pool that prices the token.' }),
});

/** What a price in USD hangs on where its pool is quoted in another token (decision 0032). */
export const PriceSource = Type.Object(
  {
    hops: Type.Array(Hop, {
      description:
        'From the token that the pool is quoted in to the one that the reference quotes.',
    }),
    reference_address: Type.String({ description: 'SOL or a stablecoin.' }),
    quote_price_usd: DecimalText('Of the first token.'),
    price_set_slot: Type.Integer({
      description: 'Slot of the trade that set the oldest of these prices.',
    }),
    age_seconds: DecimalText('Between that trade and the one that set the price.'),
    thinnest_liquidity_usd: DecimalText('Twice the quote side of the thinnest of these pools.'),
    depends_on_launchpad_coin: Nullable(
      Type.Boolean({
        description:
          "One of these tokens was sold on a launchpad's curve; null when none is known to have " +
          'been and one is older than the held history.',
      }),
    ),
  },
  {
    description:
      'What price_usd hangs on where its pool is quoted in another token, as of the trade that set ' +
      'it. Null for a pool quoted in SOL or a stablecoin, and without a price.',
  },
);

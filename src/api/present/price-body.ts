import { circulatingValue } from '../../model/market-cap.ts';
import type { PricedToken } from '../batch-reads.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { address, integer, maybeInstant, nullable, price, usd } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** The price of a token, from its primary pool. */
export const PriceBody = wireRecord<PricedToken>()(
  {
    token_address: [address, ({ token }) => token.mint],
    price_usd: [nullable(price), ({ token }) => token.priceUsd, 'Null if unknown.'],
    marketcap_usd: [
      nullable(usd),
      ({ token }) => circulatingValue(token, token.priceUsd),
      'Supply of the token less what burn addresses hold, at this price; null if one is unknown.',
    ],
    pair_address: [
      nullable(address),
      ({ token }) => token.primaryPool,
      'Pool that gives the token its price: that with the most liquidity. Null without a pool.',
    ],
    slot: [
      nullable(integer),
      ({ pool }) => pool?.slot ?? null,
      'Slot of the last change of that pool, which the price is from or still stands at.',
    ],
    timestamp: [maybeInstant, ({ pool }) => pool?.updatedAtMs ?? null],
  },
  {
    title: 'Price',
    description: 'Price of the token.',
    examples: [
      {
        token_address: EXAMPLE.mint,
        price_usd: '0.000082155978',
        marketcap_usd: '82155.98',
        pair_address: EXAMPLE.pool,
        slot: EXAMPLE.slot,
        timestamp: EXAMPLE.instant,
      },
    ],
  },
);

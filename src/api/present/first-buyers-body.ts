import { absolute, formatFixed } from '../../lib/decimal.ts';
import type { FirstBuyer, FirstBuyerPage } from '../../model/first-buyers.ts';
import { holdingOf } from '../../model/position-worth.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import { STANDING_FIELDS } from './standing-body.ts';
import {
  address,
  decimal,
  instant,
  integer,
  list,
  nullable,
  plain,
  price,
  text,
  usd,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const Buyer = wireRecord<FirstBuyer, TokenRecord>()({
  rank: [integer, 'rank', '1 for the first wallet that bought.'],
  wallet_address: [address, 'wallet'],
  slot: [integer, ({ swap }) => swap.slot],
  timestamp: [instant, ({ swap }) => swap.timeMs, 'Block time of the purchase.'],
  signature: [text, ({ swap }) => swap.signature, 'Transaction signature.'],
  pair_address: [address, ({ swap }) => swap.swap.pool],
  token_amount: [
    decimal,
    ({ swap: { swap } }) => formatFixed(absolute(swap.poolBaseDelta), swap.baseDecimals),
    'Whole tokens that the pool gave, as in /v1/trades.',
  ],
  price_usd: [nullable(price), ({ swap }) => swap.priceUsd, 'Null if unknown.'],
  value_usd: [nullable(usd), ({ swap }) => swap.valueUsd, 'Null if unknown.'],
  balance: [
    nullable(decimal),
    ({ standing: { position } }, { decimals }) =>
      position === null ? null : formatTokens(holdingOf(position), decimals),
    'Whole tokens held now; null if unknown.',
  ],
  ...STANDING_FIELDS,
});

/** `write`: writes the cursor of the next page. */
export const FirstBuyersBody = wireRecord<FirstBuyerPage, (next: number) => string>()(
  {
    token_address: [address, ({ token }) => token.mint],
    buyers: [
      plain(list(Buyer).schema),
      ({ buyers, token }) => buyers.map((buyer) => Buyer.present(buyer, token)),
      'In the order of their first purchases.',
    ],
    next_cursor: [
      nullable(text),
      ({ next }, write) => (next === null ? null : write(next)),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of first buyers.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        buyers: [
          {
            rank: 1,
            wallet_address: EXAMPLE.wallet,
            slot: EXAMPLE.slot,
            timestamp: EXAMPLE.instant,
            signature: EXAMPLE.signature,
            pair_address: EXAMPLE.pool,
            token_amount: '125000.000000',
            price_usd: '0.0004',
            value_usd: '50.00',
            balance: '0.000000',
            class: 'bot',
            token_rules: [],
            labels: [],
            cluster_id: EXAMPLE.wallet,
            first_buy_at: EXAMPLE.instant,
            average_cost_usd: null,
            realised_usd: '12.40',
            unrealised_usd: '0.00',
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

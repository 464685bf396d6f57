import type { PositionFigures } from '../../model/position-worth.ts';
import { holdingOf, profitOf } from '../../model/position-worth.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { TokenTrader, TraderCursor, TraderPage } from '../../model/token-wallets.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import { STANDING_FIELDS, shareOfSupply } from './standing-body.ts';
import {
  address,
  decimal,
  integer,
  list,
  maybeInstant,
  nullable,
  plain,
  text,
  usd,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const figuresOf = ({ position }: TokenTrader): PositionFigures => position;

const Trader = wireRecord<TokenTrader, TokenRecord>()({
  wallet_address: [address, 'wallet'],
  balance: [
    nullable(decimal),
    (trader, { decimals }) => formatTokens(holdingOf(figuresOf(trader)), decimals),
    'Whole tokens held; null if the decimals are unknown.',
  ],
  share_of_supply: [
    nullable(decimal),
    (trader, token) => shareOfSupply(holdingOf(figuresOf(trader)), token),
    'Share of the supply from 0 to 1, with four decimals; null if the supply is unknown.',
  ],
  ...STANDING_FIELDS,
  profit_usd: [
    nullable(usd),
    (trader) => profitOf(figuresOf(trader)),
    'Realised and unrealised profit together; null without a price, and if no token ever had a known cost.',
  ],
  buys: [integer, ({ position }) => position.buys],
  sells: [integer, ({ position }) => position.sells],
  last_trade_at: [maybeInstant, ({ position }) => position.lastTradeMs],
});

interface Context {
  readonly token: TokenRecord;
  /** Writes the cursor of the next page. */
  readonly write: (next: TraderCursor) => string;
}

export const TopTradersBody = wireRecord<TraderPage, Context>()(
  {
    token_address: [address, (_, { token }) => token.mint],
    traders: [
      plain(list(Trader).schema),
      ({ traders }, { token }) => traders.map((trader) => Trader.present(trader, token)),
      'Highest profit first, unknown profits last; the earlier trader first among equals.',
    ],
    next_cursor: [
      nullable(text),
      ({ next }, { write }) => next && write(next),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of traders.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        traders: [
          {
            wallet_address: EXAMPLE.wallet,
            balance: '1000.000000',
            share_of_supply: '0.0000',
            class: 'organic',
            token_rules: [],
            labels: ['smart'],
            cluster_id: EXAMPLE.wallet,
            first_buy_at: EXAMPLE.instant,
            average_cost_usd: '0.03',
            realised_usd: '12.40',
            unrealised_usd: '20.00',
            profit_usd: '32.40',
            buys: 2,
            sells: 1,
            last_trade_at: EXAMPLE.instant,
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

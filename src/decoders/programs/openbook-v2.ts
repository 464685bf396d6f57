/**
 * OpenBook v2 order books, program opnb2LAf….
 *
 * `place_take_order` trades and settles at once: its swap is read from the transfers between the
 * instruction and the market's two vaults. Every other order pays in when it is placed and is
 * settled later, for many fills together, by `settle_funds`. Neither of these is a trade.
 */

import { swap } from '../legs/pool-readers.ts';
import { venueDecoder } from '../legs/program-decoder.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';

export const openbookV2Layout = anchorLayout({
  instructions: {
    place_take_order: {
      signer: 0,
      market: 2,
      market_base_vault: 6,
      market_quote_vault: 7,
      user_base_account: 9,
      user_quote_account: 10,
    },
  },
  ignoredInstructions: [
    'cancel_all_and_place_orders',
    'cancel_all_orders',
    'cancel_order',
    'cancel_order_by_client_order_id',
    'close_market',
    'close_open_orders_account',
    'close_open_orders_indexer',
    'consume_events',
    'consume_given_events',
    'create_market',
    'create_open_orders_account',
    'create_open_orders_indexer',
    'deposit',
    'edit_order',
    'edit_order_pegged',
    'place_order',
    'place_order_pegged',
    'place_orders',
    'prune_orders',
    'refill',
    'set_delegate',
    'set_market_expired',
    'settle_funds',
    'settle_funds_expired',
    'stub_oracle_close',
    'stub_oracle_create',
    'stub_oracle_set',
    'sweep_fees',
  ],
  events: {},
  ignoredEvents: [
    'DepositLog',
    'FillLog',
    'MarketMetaDataLog',
    'OpenOrdersPositionLog',
    'SetDelegateLog',
    'SettleFundsLog',
    'SweepFeesLog',
    'TotalOrderFillEvent',
  ],
});

export const openbookV2 = venueDecoder({
  name: 'openbook_v2',
  programId: 'opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb',
  layout: openbookV2Layout,
  readers: {
    place_take_order: swap({
      pool: 'market',
      vaults: ['market_base_vault', 'market_quote_vault'],
      user: 'signer',
      userAccounts: ['user_base_account', 'user_quote_account'],
    }),
  },
});

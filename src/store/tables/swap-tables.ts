import type { PricedSwap, WalletSwap } from '../../model/derived.ts';
import type { Side, Swap } from '../../model/swap.ts';
import type { Terminal } from '../../model/terminal-accounts.ts';
import type { TradedSwap } from '../../model/trade.ts';
import { type Address, asRawAmount, asUsdNano } from '../../model/units.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import { flag, int128, numeric, orNull, price, slot, text, textOrEmpty } from '../sql/columns.ts';
import { columnsOfRecord, describeTable, unstored } from '../sql/table.ts';

const key = ({ signature, swap }: PricedSwap) =>
  `${signature}/${swap.outerIx}/${swap.innerIx}/${swap.pool}`;

/** What trades show, in the columns that all tables of swaps have. */
const shown = {
  timeMs: numeric('time_ms'),
  slot: slot('slot'),
  txIndex: numeric('tx_index'),
  signature: text<PricedSwap['signature']>('signature'),
  priceUsd: orNull(price('price_usd')),
  valueUsd: orNull(int128('value_usd', asUsdNano)),
  exclusion: orNull(text<NonNullable<PricedSwap['exclusion']>>('exclusion')),
  isOrganic: flag('is_organic'),
  walletClass: orNull(text<WalletClass>('wallet_class')),
  terminal: orNull(text<Terminal>('terminal')),
};

const shownOfSwap = {
  outerIx: numeric('outer_ix'),
  innerIx: numeric('inner_ix'),
  venue: text<Swap['venue']>('venue'),
  pool: text<Address>('pool'),
  baseMint: text<Address>('base_mint'),
  quoteMint: text<Address>('quote_mint'),
  baseDecimals: numeric('base_decimals'),
  quoteDecimals: numeric('quote_decimals'),
  side: text<Side>('side'),
  poolBaseDelta: int128('pool_base_delta', asRawAmount),
  poolQuoteDelta: int128('pool_quote_delta', asRawAmount),
  router: orNull(text<Address>('router')),
  isIntermediateHop: flag('is_hop'),
  isAtomicRoundTrip: flag('is_round_trip'),
  isPureArbitrage: flag('is_arbitrage'),
};

/** The table does not store every field: the others are read as null or false. */
export const swapTable = describeTable({
  name: 'swaps',
  key,
  columns: columnsOfRecord<PricedSwap>({
    ...shown,
    // Only swaps with a known time are stored.
    isTimeKnown: unstored(true),
    price: orNull(price('price')),
    quoteChain: unstored(null),
    setsTokenPrice: flag('sets_token_price'),
    swap: columnsOfRecord<Swap>({
      kind: unstored('swap'),
      ...shownOfSwap,
      trader: textOrEmpty('trader'),
      traderBaseDelta: int128('trader_base_delta', asRawAmount),
      traderQuoteDelta: orNull(int128('trader_quote_delta', asRawAmount)),
      reserves: unstored(null),
      feeQuoteRaw: unstored(null),
      quarantine: unstored(null),
    }),
  }),
});

/** The columns of `swaps` and `swaps_by_token` that trades show. */
export const tradeColumns = columnsOfRecord<TradedSwap>({
  ...shown,
  swap: columnsOfRecord<TradedSwap['swap']>({ ...shownOfSwap, trader: textOrEmpty('trader') }),
});

/** The same swaps in the order of each token. */
export const swapByTokenTable = describeTable({
  name: 'swaps_by_token',
  key: (swap: PricedSwap) => key(swap),
  columns: tradeColumns,
});

/** The columns of `swaps_by_wallet` that trades show. */
export const walletTradeColumns = columnsOfRecord<TradedSwap>({
  ...shown,
  swap: columnsOfRecord<TradedSwap['swap']>({ ...shownOfSwap, trader: textOrEmpty('wallet') }),
});

/** The same swaps from the trader's side. */
export const swapByWalletTable = describeTable({
  name: 'swaps_by_wallet',
  key: (swap: WalletSwap) => key(swap),
  columns: columnsOfRecord({
    ...shown,
    swap: columnsOfRecord({
      ...shownOfSwap,
      trader: text<Address>('wallet'),
      traderBaseDelta: int128('base_raw', asRawAmount),
      traderQuoteDelta: orNull(int128('quote_raw', asRawAmount)),
    }),
  }),
});

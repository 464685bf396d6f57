import type { PricedSwap, WalletSwap } from '../../model/derived.ts';
import type { Side, Swap } from '../../model/swap.ts';
import { type Address, asRawAmount, asUsdNano } from '../../model/units.ts';
import { flag, int128, numeric, orNull, price, slot, text, textOrEmpty } from '../sql/columns.ts';
import { columnsOfRecord, describeTable, unstored } from '../sql/table.ts';

const key = ({ signature, swap }: PricedSwap) =>
  `${signature}/${swap.outerIx}/${swap.innerIx}/${swap.pool}`;

const place = {
  timeMs: numeric('time_ms'),
  slot: slot('slot'),
  txIndex: numeric('tx_index'),
};

const instruction = {
  outerIx: numeric('outer_ix'),
  innerIx: numeric('inner_ix'),
};

/** The table does not store every field: the others are read as null or false. */
export const swapTable = describeTable({
  name: 'swaps',
  key,
  columns: columnsOfRecord<PricedSwap>({
    ...place,
    signature: text('signature'),
    // Only swaps with a known time are stored.
    isTimeKnown: unstored(true),
    price: orNull(price('price')),
    priceUsd: orNull(price('price_usd')),
    valueUsd: orNull(int128('value_usd', asUsdNano)),
    quoteChain: unstored(null),
    exclusion: orNull(text('exclusion')),
    setsTokenPrice: flag('sets_token_price'),
    isOrganic: flag('is_organic'),
    swap: columnsOfRecord<Swap>({
      kind: unstored('swap'),
      ...instruction,
      venue: text('venue'),
      pool: text('pool'),
      baseMint: text('base_mint'),
      quoteMint: text('quote_mint'),
      baseDecimals: numeric('base_decimals'),
      quoteDecimals: numeric('quote_decimals'),
      trader: textOrEmpty('trader'),
      side: text('side'),
      poolBaseDelta: int128('pool_base_delta', asRawAmount),
      poolQuoteDelta: int128('pool_quote_delta', asRawAmount),
      traderBaseDelta: int128('trader_base_delta', asRawAmount),
      traderQuoteDelta: orNull(int128('trader_quote_delta', asRawAmount)),
      router: orNull(text('router')),
      reserves: unstored(null),
      feeQuoteRaw: unstored(null),
      isIntermediateHop: unstored(false),
      isAtomicRoundTrip: unstored(false),
      isPureArbitrage: unstored(false),
      quarantine: unstored(null),
    }),
  }),
});

/** The same swaps from the trader's side. */
export const swapByWalletTable = describeTable({
  name: 'swaps_by_wallet',
  key: (swap: WalletSwap) => key(swap),
  columns: columnsOfRecord({
    ...place,
    valueUsd: orNull(int128('value_usd', asUsdNano)),
    swap: columnsOfRecord({
      ...instruction,
      trader: text<Address>('wallet'),
      pool: text<Address>('pool'),
      baseMint: text<Address>('base_mint'),
      side: text<Side>('side'),
      traderBaseDelta: int128('base_raw', asRawAmount),
      traderQuoteDelta: orNull(int128('quote_raw', asRawAmount)),
    }),
  }),
});

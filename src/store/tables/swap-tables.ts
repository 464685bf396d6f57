import type { PricedSwap, PriceExclusion, WalletSwap } from '../../model/derived.ts';
import type { Venue } from '../../model/program.ts';
import type { Side, Swap } from '../../model/swap.ts';
import { type Address, asRawAmount, asUsdNano, type Signature } from '../../model/units.ts';
import { flag, int128, numeric, orNull, price, slot, text, textOrEmpty } from '../sql/columns.ts';
import { describeTable, record, unstored } from '../sql/table.ts';

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

const swapColumns = record<PricedSwap>({
  ...place,
  signature: text<Signature>('signature'),
  // Only swaps with a known time are stored.
  isTimeKnown: unstored(true),
  price: orNull(price('price')),
  priceUsd: orNull(price('price_usd')),
  valueUsd: orNull(int128('value_usd', asUsdNano)),
  quoteChain: unstored(null),
  exclusion: orNull(text<PriceExclusion>('exclusion')),
  setsTokenPrice: flag('sets_token_price'),
  isOrganic: flag('is_organic'),
  swap: record<Swap>({
    kind: unstored('swap'),
    ...instruction,
    venue: text<Venue>('venue'),
    pool: text<Address>('pool'),
    baseMint: text<Address>('base_mint'),
    quoteMint: text<Address>('quote_mint'),
    baseDecimals: numeric('base_decimals'),
    quoteDecimals: numeric('quote_decimals'),
    trader: textOrEmpty<Address>('trader'),
    side: text<Side>('side'),
    poolBaseDelta: int128('pool_base_delta', asRawAmount),
    poolQuoteDelta: int128('pool_quote_delta', asRawAmount),
    traderBaseDelta: int128('trader_base_delta', asRawAmount),
    traderQuoteDelta: orNull(int128('trader_quote_delta', asRawAmount)),
    router: orNull(text<Address>('router')),
    reserves: unstored(null),
    feeQuoteRaw: unstored(null),
    isIntermediateHop: unstored(false),
    isAtomicRoundTrip: unstored(false),
    isPureArbitrage: unstored(false),
    quarantine: unstored(null),
  }),
});

export const swapTable = describeTable<PricedSwap>({ name: 'swaps', key, columns: swapColumns });

/** Converts a row to a swap; fields that the table does not store are null or false. */
export const toPricedSwap = swapColumns.reader();

/** The same swaps from the trader's side. */
export const swapByWalletTable = describeTable<WalletSwap>({
  name: 'swaps_by_wallet',
  key,
  columns: record({
    ...place,
    valueUsd: orNull(int128('value_usd', asUsdNano)),
    swap: record({
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

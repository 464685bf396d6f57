import type { PricedSwap, WalletSwap } from '../../model/derived.ts';
import { int128, int128OrNull, int256OrNull } from '../sql/cell.ts';
import type { RowWriter } from './row-writer.ts';

const position = {
  time_ms: (priced: PricedSwap) => priced.timeMs,
  slot: (priced: PricedSwap) => priced.slot,
  tx_index: (priced: PricedSwap) => priced.txIndex,
  outer_ix: (priced: PricedSwap) => priced.swap.outerIx,
  inner_ix: (priced: PricedSwap) => priced.swap.innerIx,
};

const key = ({ signature, swap }: PricedSwap) =>
  `${signature}/${swap.outerIx}/${swap.innerIx}/${swap.pool}`;

export const swapRows: RowWriter<PricedSwap> = {
  table: 'swaps',
  key,
  columns: {
    pool: ({ swap }) => swap.pool,
    ...position,
    signature: ({ signature }) => signature,
    venue: ({ swap }) => swap.venue,
    base_mint: ({ swap }) => swap.baseMint,
    quote_mint: ({ swap }) => swap.quoteMint,
    base_decimals: ({ swap }) => swap.baseDecimals,
    quote_decimals: ({ swap }) => swap.quoteDecimals,
    // The column is not nullable: the empty text means unknown.
    trader: ({ swap }) => swap.trader ?? '',
    side: ({ swap }) => swap.side,
    pool_base_delta: ({ swap }) => int128(swap.poolBaseDelta, 'swaps.pool_base_delta'),
    pool_quote_delta: ({ swap }) => int128(swap.poolQuoteDelta, 'swaps.pool_quote_delta'),
    trader_base_delta: ({ swap }) => int128(swap.traderBaseDelta, 'swaps.trader_base_delta'),
    trader_quote_delta: ({ swap }) =>
      int128OrNull(swap.traderQuoteDelta, 'swaps.trader_quote_delta'),
    router: ({ swap }) => swap.router,
    price: ({ price }) => int256OrNull(price),
    price_usd: ({ priceUsd }) => int256OrNull(priceUsd),
    value_usd: ({ valueUsd }) => int128OrNull(valueUsd, 'swaps.value_usd'),
    exclusion: ({ exclusion }) => exclusion,
    sets_token_price: ({ setsTokenPrice }) => setsTokenPrice,
    is_organic: ({ isOrganic }) => isOrganic,
  },
};

/** The same swaps from the trader's side. */
export const swapByWalletRows: RowWriter<WalletSwap> = {
  table: 'swaps_by_wallet',
  key,
  columns: {
    wallet: ({ swap }) => swap.trader,
    ...position,
    pool: ({ swap }) => swap.pool,
    base_mint: ({ swap }) => swap.baseMint,
    side: ({ swap }) => swap.side,
    base_raw: ({ swap }) => int128(swap.traderBaseDelta, 'swaps_by_wallet.base_raw'),
    quote_raw: ({ swap }) => int128OrNull(swap.traderQuoteDelta, 'swaps.trader_quote_delta'),
    value_usd: ({ valueUsd }) => int128OrNull(valueUsd, 'swaps.value_usd'),
  },
};

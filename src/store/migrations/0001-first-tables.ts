import type { TableDescription } from '../sql/deployment.ts';

/** `version` orders the rows of one key: epoch · 2^40 + the slot that wrote the row. */
export const FOLD_COLUMNS = ['epoch UInt32 CODEC(ZSTD(1))', 'version UInt64 CODEC(Delta, ZSTD(1))'];
export const TEXT = 'CODEC(ZSTD(1))';
export const RISING = 'CODEC(Delta, ZSTD(1))';
export const monthOf = (column: string) => `toYYYYMM(fromUnixTimestamp64Milli(${column}, 'UTC'))`;

/** Slots of one partition of the log. */
export const LOG_PARTITION_SLOTS = 10_000_000;

/**
 * The canonical log: one decoded slot per row, independent of any epoch. The version grows with the
 * completeness of the record, so a less complete record never replaces a more complete one.
 * Partitioned by slot and not by time, since the time of a slot may become known later.
 */
const slotLog: TableDescription = {
  name: 'slot_log',
  columns: [
    `slot UInt64 ${RISING}`,
    'version UInt64 CODEC(ZSTD(1))',
    'blockhash Nullable(String)',
    `parent_slot Nullable(UInt64) ${TEXT}`,
    `block_time_ms Nullable(Int64) ${TEXT}`,
    'is_whole Bool',
    'facts String CODEC(ZSTD(3))',
  ],
  partitionBy: `intDiv(slot, ${LOG_PARTITION_SLOTS})`,
  orderBy: ['slot'],
  shardBy: 'cityHash64(slot)',
};

const SWAP_PLACE = [
  `time_ms Int64 ${RISING}`,
  `slot UInt64 ${RISING}`,
  `tx_index UInt32 ${TEXT}`,
  `outer_ix UInt16 ${TEXT}`,
  `inner_ix Int16 ${TEXT}`,
];
const SWAP_ORDER = ['time_ms', 'slot', 'tx_index', 'outer_ix', 'inner_ix'];

const swaps: TableDescription = {
  name: 'swaps',
  columns: [
    ...FOLD_COLUMNS,
    `pool String ${TEXT}`,
    ...SWAP_PLACE,
    `signature String ${TEXT}`,
    'venue LowCardinality(String)',
    `base_mint String ${TEXT}`,
    `quote_mint String ${TEXT}`,
    'base_decimals UInt8',
    'quote_decimals UInt8',
    `trader String ${TEXT}`,
    "side Enum8('buy' = 1, 'sell' = 2)",
    `pool_base_delta Int128 ${TEXT}`,
    `pool_quote_delta Int128 ${TEXT}`,
    `trader_base_delta Int128 ${TEXT}`,
    `trader_quote_delta Nullable(Int128) ${TEXT}`,
    `router Nullable(String) ${TEXT}`,
    `price Nullable(Int256) ${TEXT}`,
    `price_usd Nullable(Int256) ${TEXT}`,
    `value_usd Nullable(Int128) ${TEXT}`,
    'exclusion LowCardinality(Nullable(String))',
    'sets_token_price Bool',
  ],
  partitionBy: `(epoch, ${monthOf('time_ms')})`,
  orderBy: ['epoch', 'pool', ...SWAP_ORDER],
  shardBy: 'cityHash64(pool)',
};

const swapsByWallet: TableDescription = {
  name: 'swaps_by_wallet',
  columns: [
    ...FOLD_COLUMNS,
    `wallet String ${TEXT}`,
    ...SWAP_PLACE,
    `pool String ${TEXT}`,
    `base_mint String ${TEXT}`,
    "side Enum8('buy' = 1, 'sell' = 2)",
    `base_raw Int128 ${TEXT}`,
    `quote_raw Nullable(Int128) ${TEXT}`,
    `value_usd Nullable(Int128) ${TEXT}`,
  ],
  partitionBy: `(epoch, ${monthOf('time_ms')})`,
  // One instruction may swap on several pools.
  orderBy: ['epoch', 'wallet', ...SWAP_ORDER, 'pool'],
  shardBy: 'cityHash64(wallet)',
};

const candles: TableDescription = {
  name: 'candles',
  columns: [
    ...FOLD_COLUMNS,
    `scope String ${TEXT}`,
    `open_time_ms Int64 ${RISING}`,
    ...['quote', 'usd'].flatMap((unit) =>
      ['open', 'high', 'low', 'close'].map((name) => `${unit}_${name} Nullable(Int256) ${TEXT}`),
    ),
    `base_volume_raw Int128 ${TEXT}`,
    `quote_volume_raw Int128 ${TEXT}`,
    `volume_usd Int128 ${TEXT}`,
    `priced_base_volume_raw Int128 ${TEXT}`,
    'base_decimals UInt8',
    `trades UInt32 ${TEXT}`,
    `buys UInt32 ${TEXT}`,
    `sells UInt32 ${TEXT}`,
    `supply_raw Nullable(Int128) ${TEXT}`,
    'is_final Bool',
    `slot UInt64 ${RISING}`,
  ],
  partitionBy: `(epoch, ${monthOf('open_time_ms')})`,
  orderBy: ['epoch', 'scope', 'open_time_ms'],
  shardBy: 'cityHash64(scope)',
};

const tokens: TableDescription = {
  name: 'tokens',
  columns: [
    ...FOLD_COLUMNS,
    `mint String ${TEXT}`,
    `name Nullable(String) ${TEXT}`,
    `symbol Nullable(String) ${TEXT}`,
    `creator Nullable(String) ${TEXT}`,
    `creation_slot Nullable(UInt64) ${TEXT}`,
    `created_at_ms Nullable(Int64) ${TEXT}`,
    `primary_pool Nullable(String) ${TEXT}`,
    `record String ${TEXT}`,
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'mint'],
  shardBy: 'cityHash64(mint)',
};

const pools: TableDescription = {
  name: 'pools',
  columns: [
    ...FOLD_COLUMNS,
    `pool String ${TEXT}`,
    'venue LowCardinality(String)',
    `base_mint String ${TEXT}`,
    `quote_mint String ${TEXT}`,
    `created_slot Nullable(UInt64) ${TEXT}`,
    `last_swap_ms Nullable(Int64) ${TEXT}`,
    `record String ${TEXT}`,
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'pool'],
  shardBy: 'cityHash64(pool)',
};

const balances: TableDescription = {
  name: 'balances',
  columns: [
    ...FOLD_COLUMNS,
    `mint String ${TEXT}`,
    `owner String ${TEXT}`,
    `balance_raw Int128 ${TEXT}`,
    'is_pool Bool',
    `first_seen_ms Nullable(Int64) ${TEXT}`,
    `slot UInt64 ${TEXT}`,
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'mint', 'owner'],
  shardBy: 'cityHash64(mint)',
};

const bundledTransactions: TableDescription = {
  name: 'bundled_transactions',
  columns: [
    ...FOLD_COLUMNS,
    `mint String ${TEXT}`,
    `slot UInt64 ${RISING}`,
    `tx_index UInt32 ${TEXT}`,
    `owner String ${TEXT}`,
    `signature String ${TEXT}`,
    `lamports Int128 ${TEXT}`,
    "side Enum8('buy' = 1, 'sell' = 2)",
    'level LowCardinality(String)',
    'certainty Float64',
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'mint', 'slot', 'tx_index', 'owner'],
  shardBy: 'cityHash64(mint)',
};

const solPrices: TableDescription = {
  name: 'sol_prices',
  columns: [
    ...FOLD_COLUMNS,
    `minute_ms Int64 ${RISING}`,
    `usd Int256 ${TEXT}`,
    `slot UInt64 ${RISING}`,
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'minute_ms'],
  shardBy: 'cityHash64(minute_ms)',
};

/** The tables with the rows of a fold. */
export const FIRST_DERIVED_TABLES: readonly TableDescription[] = [
  swaps,
  swapsByWallet,
  candles,
  tokens,
  pools,
  balances,
  bundledTransactions,
  solPrices,
];

export const FIRST_TABLES: readonly TableDescription[] = [slotLog, ...FIRST_DERIVED_TABLES];

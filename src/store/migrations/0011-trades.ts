import type { ColumnAddition, TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, monthOf, RISING, TEXT } from './0001-first-tables.ts';

/** What trades show and tables of swaps lacked. Rows of earlier folds are replaced by a new fold. */
const SHOWN = [
  'is_hop Bool DEFAULT false',
  'is_round_trip Bool DEFAULT false',
  'is_arbitrage Bool DEFAULT false',
  'wallet_class LowCardinality(Nullable(String)) DEFAULT NULL',
  'terminal LowCardinality(Nullable(String)) DEFAULT NULL',
];

/** What only the table of swaps by pool had. */
const OF_POOL = [
  `signature String DEFAULT '' ${TEXT}`,
  "venue LowCardinality(String) DEFAULT ''",
  `quote_mint String DEFAULT '' ${TEXT}`,
  'base_decimals UInt8 DEFAULT 0',
  'quote_decimals UInt8 DEFAULT 0',
  `pool_base_delta Int128 DEFAULT 0 ${TEXT}`,
  `pool_quote_delta Int128 DEFAULT 0 ${TEXT}`,
  `router Nullable(String) DEFAULT NULL ${TEXT}`,
  `price_usd Nullable(Int256) DEFAULT NULL ${TEXT}`,
  'exclusion LowCardinality(Nullable(String)) DEFAULT NULL',
  'is_organic Bool DEFAULT false',
];

export const TRADE_COLUMNS: readonly ColumnAddition[] = [
  ...SHOWN.map((column) => ({ table: 'swaps', column })),
  ...[...OF_POOL, ...SHOWN].map((column) => ({ table: 'swaps_by_wallet', column })),
];

/** The same swaps in the order of each token. */
const swapsByToken: TableDescription = {
  name: 'swaps_by_token',
  columns: [
    ...FOLD_COLUMNS,
    `base_mint String ${TEXT}`,
    `time_ms Int64 ${RISING}`,
    `slot UInt64 ${RISING}`,
    `tx_index UInt32 ${TEXT}`,
    `outer_ix UInt16 ${TEXT}`,
    `inner_ix Int16 ${TEXT}`,
    `pool String ${TEXT}`,
    `trader String ${TEXT}`,
    "side Enum8('buy' = 1, 'sell' = 2)",
    `value_usd Nullable(Int128) ${TEXT}`,
    ...OF_POOL,
    ...SHOWN,
  ],
  partitionBy: `(epoch, ${monthOf('time_ms')})`,
  // One instruction may swap on several pools.
  orderBy: [
    ...['epoch', 'base_mint', 'time_ms', 'slot', 'tx_index', 'outer_ix', 'inner_ix'],
    'pool',
  ],
  shardBy: 'cityHash64(base_mint)',
};

export const TRADE_TABLES: readonly TableDescription[] = [swapsByToken];

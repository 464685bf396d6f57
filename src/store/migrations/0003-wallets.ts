import type { ColumnAddition, TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, monthOf, RISING, TEXT } from './0001-first-tables.ts';

/** Exact decimals, as in API answers: ratios have four digits, scores and seconds two. */
const RATIO = 'Decimal(9, 4)';
const HUNDREDTHS = 'Decimal(18, 2)';

/** Figures of a pool at the end of a minute in which it was traded. Null is unknown. */
const FIGURES = [
  `slot UInt64 ${RISING}`,
  `base_mint String ${TEXT}`,
  `created_at_ms Nullable(Int64) ${TEXT}`,
  `total_wallets UInt32 ${TEXT}`,
  `organic_wallets UInt32 ${TEXT}`,
  `organic_profitable_wallets Nullable(UInt32) ${TEXT}`,
  `organic_to_total_wallets_ratio ${RATIO} ${TEXT}`,
  `bot_to_total_wallets_ratio ${RATIO} ${TEXT}`,
  `profitable_organic_to_total_organic_ratio Nullable(${RATIO}) ${TEXT}`,
  `total_volume_usd Nullable(Int128) ${TEXT}`,
  `organic_volume_usd Nullable(Int128) ${TEXT}`,
  `bot_volume_ratio Nullable(${RATIO}) ${TEXT}`,
  `organic_volume_ratio Nullable(${RATIO}) ${TEXT}`,
  `organic_mean_hold_seconds Nullable(${HUNDREDTHS}) ${TEXT}`,
  `organic_mean_trade_frequency_seconds Nullable(${HUNDREDTHS}) ${TEXT}`,
  `price_usd Nullable(Int256) ${TEXT}`,
  `smart_money_score ${HUNDREDTHS} ${TEXT}`,
  `raw_smart_money_score ${HUNDREDTHS} ${TEXT}`,
  `smart_money_influx_10min Nullable(Int128) ${TEXT}`,
  `smart_money_outflux_10min Nullable(Int128) ${TEXT}`,
  `raw_smart_money_influx Nullable(Int128) ${TEXT}`,
  `raw_smart_money_outflux Nullable(Int128) ${TEXT}`,
  `smart_holders UInt32 ${TEXT}`,
  `raw_holders UInt32 ${TEXT}`,
  `smart_to_raw_holders_ratio ${RATIO} ${TEXT}`,
  `profitable_volume Nullable(Int128) ${TEXT}`,
  `profitable_volume_total_volume_ratio Nullable(${RATIO}) ${TEXT}`,
];

const indicatorMinutes: TableDescription = {
  name: 'indicator_minutes',
  columns: [...FOLD_COLUMNS, `pool String ${TEXT}`, `minute_ms Int64 ${RISING}`, ...FIGURES],
  partitionBy: `(epoch, ${monthOf('minute_ms')})`,
  orderBy: ['epoch', 'pool', 'minute_ms'],
  shardBy: 'cityHash64(pool)',
};

/** The newest minute of each pool, to rank tokens without reading history. */
const newestIndicators: TableDescription = {
  name: 'newest_indicators',
  columns: [...FOLD_COLUMNS, `pool String ${TEXT}`, `minute_ms Int64 ${TEXT}`, ...FIGURES],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'pool'],
  shardBy: 'cityHash64(pool)',
};

export const WALLET_TABLES: readonly TableDescription[] = [indicatorMinutes, newestIndicators];

/** In rows of earlier folds no trader is organic; a new fold replaces them. */
export const ORGANIC_SWAPS: ColumnAddition = {
  table: 'swaps',
  column: 'is_organic Bool DEFAULT false',
};

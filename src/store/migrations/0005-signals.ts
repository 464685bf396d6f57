import type { TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, RISING, TEXT } from './0001-first-tables.ts';

const ROW = [`row_id UInt64 ${RISING}`, `slot UInt64 ${RISING}`];

/** The return of each ticket by each exit rule, in percent with nine decimals; null while open. */
const RETURNS = [
  'hold_5m_200_e9',
  'hold_5m_1000_e9',
  'hold_1h_200_e9',
  'hold_1h_1000_e9',
  'hold_24h_200_e9',
  'hold_24h_1000_e9',
  'take_profit_or_stop_200_e9',
  'take_profit_or_stop_1000_e9',
  'trailing_stop_200_e9',
  'trailing_stop_1000_e9',
];

/** Signals, which never change; the full signal is in `record`. */
const signals: TableDescription = {
  name: 'signals',
  columns: [
    ...FOLD_COLUMNS,
    ...ROW,
    `created_at_ms Int64 ${RISING}`,
    'model LowCardinality(String)',
    `model_version UInt32 ${TEXT}`,
    `mint String ${TEXT}`,
    `pool String ${TEXT}`,
    `name Nullable(String) ${TEXT}`,
    `symbol Nullable(String) ${TEXT}`,
    `age_ms Nullable(Int64) ${TEXT}`,
    `market_cap_usd Int128 ${TEXT}`,
    `liquidity_usd Int128 ${TEXT}`,
    'record String CODEC(ZSTD(3))',
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'row_id'],
  shardBy: 'cityHash64(row_id)',
};

/** The newest outcome of each signal. Amounts are clamped to ±2^127; `record` has them exact. */
const signalOutcomes: TableDescription = {
  name: 'signal_outcomes',
  columns: [
    ...FOLD_COLUMNS,
    ...ROW,
    'is_final Bool',
    `ath_market_cap_usd Int128 ${TEXT}`,
    `drawdown_market_cap_usd Int128 ${TEXT}`,
    `roi_e9 Int128 ${TEXT}`,
    `drawdown_e9 Int128 ${TEXT}`,
    ...RETURNS.map((column) => `${column} Nullable(Int128) ${TEXT}`),
    'record String CODEC(ZSTD(3))',
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'row_id'],
  shardBy: 'cityHash64(row_id)',
};

export const SIGNAL_TABLES: readonly TableDescription[] = [signals, signalOutcomes];

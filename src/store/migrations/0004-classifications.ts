import type { ColumnAddition, TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, RISING, TEXT } from './0001-first-tables.ts';

/** Columns to read by; the classification itself is in `record`. */
const CLASSIFICATION = [
  `mint String ${TEXT}`,
  `id String ${TEXT}`,
  `slot UInt64 ${RISING}`,
  'fraud_type LowCardinality(String)',
  'state LowCardinality(String)',
  'confidence Float64 CODEC(ZSTD(1))',
  'record String CODEC(ZSTD(3))',
];

/** Every version of every classification: what a mint was accused of as of any slot. */
const classifications: TableDescription = {
  name: 'classifications',
  columns: [...FOLD_COLUMNS, ...CLASSIFICATION],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'mint', 'id', 'slot'],
  shardBy: 'cityHash64(mint)',
};

/** The newest version of each: what is asked for by its id, which does not tell the mint. */
const newestClassifications: TableDescription = {
  name: 'newest_classifications',
  columns: [...FOLD_COLUMNS, ...CLASSIFICATION],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'id'],
  shardBy: 'cityHash64(id)',
};

export const CLASSIFICATION_TABLES: readonly TableDescription[] = [
  classifications,
  newestClassifications,
];

/** Links tell of bundles later than their slot; those that are there were found at once. */
export const FOUND_SLOTS: ColumnAddition = {
  table: 'bundled_transactions',
  column: 'found_slot UInt64 DEFAULT slot',
};

import type { ColumnAddition, TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, RISING, TEXT } from './0001-first-tables.ts';

/** The columns are for queries; the full classification is in `record`. */
const CLASSIFICATION = [
  `mint String ${TEXT}`,
  `id String ${TEXT}`,
  `slot UInt64 ${RISING}`,
  'fraud_type LowCardinality(String)',
  'state LowCardinality(String)',
  'confidence Float64 CODEC(ZSTD(1))',
  'record String CODEC(ZSTD(3))',
];

/** Every version of every classification: the findings of a mint as of any slot. */
const classifications: TableDescription = {
  name: 'classifications',
  columns: [...FOLD_COLUMNS, ...CLASSIFICATION],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'mint', 'id', 'slot'],
  shardBy: 'cityHash64(mint)',
};

/** The newest version of each, for reads by id, which does not contain the mint. */
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

/** The slot in which a bundle was found: links reveal some later. Default: its own slot. */
export const FOUND_SLOTS: ColumnAddition = {
  table: 'bundled_transactions',
  column: 'found_slot UInt64 DEFAULT slot',
};

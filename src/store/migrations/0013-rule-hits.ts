import type { TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, RISING, TEXT } from './0001-first-tables.ts';

/** Hits of rules, which never change; the full hit is in `record`. `rule_key` is `author/name`. */
const ruleHits: TableDescription = {
  name: 'rule_hits',
  columns: [
    ...FOLD_COLUMNS,
    `row_id UInt64 ${RISING}`,
    `slot UInt64 ${RISING}`,
    `created_at_ms Int64 ${RISING}`,
    'rule_key LowCardinality(String)',
    `hash String ${TEXT}`,
    'kind LowCardinality(String)',
    `mint String ${TEXT}`,
    'record String CODEC(ZSTD(3))',
  ],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'rule_key', 'row_id'],
  shardBy: 'cityHash64(row_id)',
};

export const RULE_TABLES: readonly TableDescription[] = [ruleHits];

import type { TableDescription } from '../sql/deployment.ts';

/** First slots of the log: all before the largest of them were dropped on purpose. */
export const LOG_STARTS: TableDescription = {
  name: 'log_starts',
  columns: [
    'slot UInt64',
    'version UInt64',
    "noted_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')",
  ],
  partitionBy: 'tuple()',
  orderBy: ['slot'],
  shardBy: 'cityHash64(slot)',
};

import type { TableDescription } from '../sql/deployment.ts';

/** Data folders that claimed this database; the first owns it. Used only on servers. */
export const OWNERS: TableDescription = {
  name: 'store_owners',
  columns: [
    'owner String',
    'version UInt64',
    "claimed_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')",
  ],
  partitionBy: 'tuple()',
  orderBy: ['owner'],
  shardBy: 'cityHash64(owner)',
};

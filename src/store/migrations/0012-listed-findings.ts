import type { ColumnAddition, TableDescription } from '../sql/deployment.ts';
import { FOLD_COLUMNS, RISING, TEXT } from './0001-first-tables.ts';

/**
 * What findings are listed by. `wallets` are the involved wallets, separated by commas. Folders of
 * earlier versions are folded again.
 */
export const LISTED_FINDINGS: readonly ColumnAddition[] = [
  `created_ms Int64 DEFAULT 0 ${TEXT}`,
  `detection_slot Nullable(UInt64) ${TEXT}`,
  `value_at_risk_usd Nullable(Int128) ${TEXT}`,
  `wallets String DEFAULT '' ${TEXT}`,
].map((column) => ({ table: 'newest_classifications', column }));

/**
 * The findings of each wallet. A wallet that a later version of a finding leaves out keeps its row:
 * reads check the wallets of the newest version.
 */
const classificationWallets: TableDescription = {
  name: 'classification_wallets',
  columns: [...FOLD_COLUMNS, `wallet String ${TEXT}`, `id String ${TEXT}`, `slot UInt64 ${RISING}`],
  partitionBy: 'epoch',
  orderBy: ['epoch', 'wallet', 'id'],
  shardBy: 'cityHash64(wallet)',
};

export const FINDING_TABLES: readonly TableDescription[] = [classificationWallets];

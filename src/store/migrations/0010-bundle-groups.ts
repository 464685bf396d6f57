import type { ColumnAddition } from '../sql/deployment.ts';
import { TEXT } from './0001-first-tables.ts';

/**
 * What was placed together, when, and with which tip. Folders of earlier versions are folded again.
 */
export const BUNDLE_GROUPS: readonly ColumnAddition[] = [
  { table: 'bundled_transactions', column: `time_ms Nullable(Int64) ${TEXT}` },
  { table: 'bundled_transactions', column: 'group_slot UInt64 DEFAULT slot' },
  { table: 'bundled_transactions', column: 'group_index UInt32 DEFAULT tx_index' },
  { table: 'bundled_transactions', column: `tip_lamports Int128 ${TEXT}` },
];

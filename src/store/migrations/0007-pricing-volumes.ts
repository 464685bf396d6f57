import type { ColumnAddition } from '../sql/deployment.ts';
import { TEXT } from './0001-first-tables.ts';

/** What the trades that set a candle's prices moved. Folders of earlier versions are folded again. */
export const PRICING_VOLUMES: readonly ColumnAddition[] = [
  { table: 'candles', column: `pricing_base_raw Int128 ${TEXT}` },
  { table: 'candles', column: `pricing_usd Int128 ${TEXT}` },
];

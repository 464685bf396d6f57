import type { ColumnAddition } from '../sql/deployment.ts';
import { TEXT } from './0001-first-tables.ts';

/** Volumes by what the trader was at the trade. Folders of earlier versions are folded again. */
export const TRADED_VOLUMES: readonly ColumnAddition[] = [
  'indicator_minutes',
  'newest_indicators',
].flatMap((table) => [
  { table, column: `traded_organic_usd Nullable(Int128) ${TEXT}` },
  { table, column: `traded_profitable_usd Nullable(Int128) ${TEXT}` },
]);

import type { ColumnAddition } from '../sql/deployment.ts';
import { TEXT } from './0001-first-tables.ts';

/**
 * What hits are listed by beside their slot: confidence in ten-thousandths. It is read from the
 * record, where it is the 13th value, for rows written before.
 */
export const RULE_HIT_CONFIDENCE: readonly ColumnAddition[] = [
  {
    table: 'rule_hits',
    column: `confidence_e4 UInt16 DEFAULT toUInt16(round(JSONExtractFloat(record, 3, 13) * 10000)) ${TEXT}`,
  },
];

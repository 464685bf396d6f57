import type { Classification } from '../../model/fraud.ts';
import { encodeClassification } from '../codecs/classification-codec.ts';
import type { RowWriter } from './row-writer.ts';

const columns: RowWriter<Classification>['columns'] = {
  mint: ({ finding }) => finding.mint,
  id: ({ id }) => id,
  slot: ({ slot }) => slot,
  fraud_type: ({ finding }) => finding.fraudType,
  state: ({ state }) => state,
  confidence: ({ finding }) => finding.confidence,
  record: encodeClassification,
};

/** Keeps every version of a classification, one per slot. */
export const classificationRows: RowWriter<Classification> = {
  table: 'classifications',
  key: ({ id, slot }) => `${id}/${slot}`,
  columns,
};

export const newestClassificationRows: RowWriter<Classification> = {
  table: 'newest_classifications',
  key: ({ id }) => id,
  columns,
};

import type { Classification, FraudType } from '../../model/fraud.ts';
import type { Address } from '../../model/units.ts';
import { decodeClassification, encodeClassification } from '../codecs/classification-codec.ts';
import { encoded, numeric, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, describeTable, wholeWithCopies } from '../sql/table.ts';

const columns = wholeWithCopies<Classification>(
  encoded('record', encodeClassification, decodeClassification),
  columnsOfRecord({
    id: text('id'),
    slot: slot('slot'),
    state: text<Classification['state']>('state'),
    finding: columnsOfRecord({
      mint: text<Address>('mint'),
      fraudType: text<FraudType>('fraud_type'),
      confidence: numeric('confidence'),
    }),
  }),
);

/** Keeps every version of a classification, one per slot. */
export const classificationTable = describeTable({
  name: 'classifications',
  key: ({ id, slot }: Classification) => `${id}/${slot}`,
  columns,
});

export const newestClassificationTable = describeTable({
  name: 'newest_classifications',
  key: ({ id }: Classification) => id,
  columns,
});

import type { Classification, FraudType } from '../../model/fraud.ts';
import { type Address, asUsdNano, type Slot } from '../../model/units.ts';
import { decodeClassification, encodeClassification } from '../codecs/classification-codec.ts';
import { encoded, int128, numeric, orNull, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, computed, describeTable, wholeWithCopies } from '../sql/table.ts';

const record = encoded('record', encodeClassification, decodeClassification);

const copies = columnsOfRecord({
  id: text('id'),
  slot: slot('slot'),
  state: text<Classification['state']>('state'),
  finding: columnsOfRecord({
    mint: text<Address>('mint'),
    fraudType: text<FraudType>('fraud_type'),
    confidence: numeric('confidence'),
  }),
});

/** Keeps every version of a classification, one per slot. */
export const classificationTable = describeTable({
  name: 'classifications',
  key: ({ id, slot }: Classification) => `${id}/${slot}`,
  columns: wholeWithCopies<Classification>(record, copies),
});

/** With copies of what classifications are listed by. */
export const newestClassificationTable = describeTable({
  name: 'newest_classifications',
  key: ({ id }: Classification) => id,
  columns: wholeWithCopies<Classification>(
    record,
    copies,
    columnsOfRecord({
      createdMs: numeric('created_ms'),
      detectionSlot: orNull(slot('detection_slot')),
      finding: columnsOfRecord({ valueAtRiskUsd: orNull(int128('value_at_risk_usd', asUsdNano)) }),
    }),
    computed(text('wallets'), ({ finding }) =>
      finding.wallets.map(({ address }) => address).join(),
    ),
  ),
});

/** A wallet that some version of a classification involves. */
export interface InvolvedWalletRow {
  readonly wallet: Address;
  readonly id: string;
  readonly slot: Slot;
}

export const classificationWalletTable = describeTable({
  name: 'classification_wallets',
  key: ({ wallet, id }: InvolvedWalletRow) => `${wallet}/${id}`,
  columns: columnsOfRecord<InvolvedWalletRow>({
    wallet: text('wallet'),
    id: text('id'),
    slot: slot('slot'),
  }),
});

/** The rows of a classification by wallet. */
export function involvedWalletRows({ id, slot, finding }: Classification): InvolvedWalletRow[] {
  return finding.wallets.map(({ address: wallet }) => ({ wallet, id, slot }));
}

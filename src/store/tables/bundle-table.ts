import type { BundledTransaction } from '../../model/derived.ts';
import { type Address, asLamports, type Signature } from '../../model/units.ts';
import { int128, numeric, orNull, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, describeTable } from '../sql/table.ts';

const paged = {
  slot: slot('slot'),
  txIndex: numeric('tx_index'),
  signature: text<Signature>('signature'),
  owner: text<Address>('owner'),
  lamports: int128('lamports', asLamports),
};

/** The columns of a transaction in pages. */
export const bundlePageItem = columnsOfRecord(paged);

const bundleColumns = columnsOfRecord<BundledTransaction>({
  ...paged,
  mint: text('mint'),
  side: text('side'),
  level: text('level'),
  certainty: numeric('certainty'),
  foundSlot: slot('found_slot'),
  timeMs: orNull(numeric('time_ms')),
  group: columnsOfRecord({ slot: slot('group_slot'), txIndex: numeric('group_index') }),
  tipLamports: int128('tip_lamports', asLamports),
});

export const bundleTable = describeTable({
  name: 'bundled_transactions',
  key: ({ mint, slot, txIndex, owner }: BundledTransaction) =>
    `${mint}/${slot}/${txIndex}/${owner}`,
  columns: bundleColumns,
});

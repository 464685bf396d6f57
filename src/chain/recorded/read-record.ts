import type { SourceProblem } from '../../model/errors.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import { readConfirmedBlock } from '../protobuf/confirmed-block.ts';
import {
  type LooseTransaction,
  type Reading,
  readBlock,
  readTransaction,
} from '../rpc-json/read-block.ts';
import type { FoundRecord } from './find-records.ts';
import type { RecordLoader } from './record-loader.ts';
import { slotOfRecord } from './record-slot.ts';
import { fileNameOf, linePosition, type RecordUnit } from './record-unit.ts';

/** A record in the model's terms, or the reason it is refused. */
export type ReadRecord =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'transaction'; readonly loose: LooseTransaction }
  | { readonly kind: 'problem'; readonly problem: SourceProblem };

/** Loads documents. */
export type RecordLoading = Pick<RecordLoader, 'load'>;

/** Selects one record of its document. */
export type PickRecord = (records: readonly FoundRecord[]) => FoundRecord | undefined;

/** Reads a record of a loaded document, and reads it again losslessly if a number was rounded. */
export async function readRecord(
  loader: RecordLoading,
  unit: RecordUnit,
  pick: PickRecord,
): Promise<ReadRecord> {
  for (const isLossless of [false, true]) {
    const loaded = await loader.load(unit, isLossless);
    if (loaded.status === 'fault') return { kind: 'problem', problem: loaded.problem };
    const record = pick(loaded.records);
    const read = record === undefined ? 'imprecise' : readOnce(unit, record);
    if (read !== 'imprecise') return read;
  }
  const refusal = { code: 'bad-transaction', position: null, message: BEYOND_READING } as const;
  return { kind: 'problem', problem: problemIn(unit, null, refusal) };
}

const BEYOND_READING = 'an integer exceeds 64 bits, or the file changed while it was read';

function readOnce(unit: RecordUnit, record: FoundRecord): ReadRecord | 'imprecise' {
  const reading = readFound(unit, record);
  if (reading.status === 'imprecise') return 'imprecise';
  if (reading.status === 'refused') {
    return { kind: 'problem', problem: problemIn(unit, record, reading) };
  }
  const { value } = reading;
  return 'transactions' in value
    ? { kind: 'block', block: value }
    : { kind: 'transaction', loose: value };
}

/** Reads a record found in a document. */
export function readFound(
  unit: RecordUnit,
  record: FoundRecord,
): Reading<ChainBlock | LooseTransaction> {
  if (record.kind === 'transaction') return readTransaction(record.value);
  const slot = slotOfRecord(record, fileNameOf(unit));
  const { confirmedBlock, value } = record;
  return confirmedBlock === undefined
    ? readBlock(value, slot)
    : readConfirmedBlock(confirmedBlock, slot);
}

/**
 * Builds a problem with the position of a record: line, path in the document, and the reader's
 * position.
 */
export function problemIn(
  unit: RecordUnit,
  record: FoundRecord | null,
  { code, position, message }: Pick<SourceProblem, 'code' | 'position' | 'message'>,
): SourceProblem {
  const parts = [linePosition(unit), record?.path ?? null, position];
  const known = parts.filter((part) => part !== null && part !== '').join(', ');
  return { code, origin: unit.file.origin, position: known === '' ? null : known, message };
}

import type { SourceProblem } from '../../model/errors.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import {
  type LooseTransaction,
  type Reading,
  readBlock,
  readTransaction,
} from '../rpc-json/read-block.ts';
import type { FoundRecord } from './find-records.ts';
import { fileNameOf, linePosition, type RecordLoader, type RecordUnit } from './record-loader.ts';
import { slotOfRecord } from './record-slot.ts';

/** A record as the model knows it, or why it cannot be believed. */
export type ReadRecord =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'transaction'; readonly loose: LooseTransaction }
  | { readonly kind: 'problem'; readonly problem: SourceProblem };

/** Finds one record among those of its document. */
export type PickRecord = (records: readonly FoundRecord[]) => FoundRecord | undefined;

/** Reads a record of a loaded document, again without loss where a number was rounded. */
export async function readRecord(
  loader: RecordLoader,
  unit: RecordUnit,
  records: readonly FoundRecord[],
  pick: PickRecord,
): Promise<ReadRecord> {
  const read = readOnce(unit, pick(records));
  if (read !== 'imprecise') return read;
  const exact = await loader.load(unit, true);
  if (exact.status === 'fault') return { kind: 'problem', problem: exact.problem };
  const again = readOnce(unit, pick(exact.records));
  return again === 'imprecise' ? refusal(unit, null, 'an integer exceeds 64 bits') : again;
}

function readOnce(unit: RecordUnit, record: FoundRecord | undefined): ReadRecord | 'imprecise' {
  if (record === undefined) return refusal(unit, null, 'the file changed while it was read');
  if (record.kind === 'transaction') {
    const reading = readTransaction(record.value);
    if (reading.status === 'ok') return { kind: 'transaction', loose: reading.value };
    return failed(unit, record, reading);
  }
  const reading = readBlock(record.value, slotOfRecord(record, fileNameOf(unit)));
  if (reading.status === 'ok') return { kind: 'block', block: reading.value };
  return failed(unit, record, reading);
}

function refusal(unit: RecordUnit, record: FoundRecord | null, message: string): ReadRecord {
  const path = record?.path ?? '';
  return { kind: 'problem', problem: problemAt(unit, path, 'bad-transaction', null, message) };
}

function failed(
  unit: RecordUnit,
  record: FoundRecord,
  reading: Exclude<Reading<unknown>, { status: 'ok' }>,
): ReadRecord | 'imprecise' {
  if (reading.status === 'imprecise') return 'imprecise';
  const { code, position, message } = reading;
  return { kind: 'problem', problem: problemOfRecord(unit, record, code, position, message) };
}

/** Says where a record stands: line, place in the document, and what the reader found there. */
export function problemOfRecord(
  unit: RecordUnit,
  record: FoundRecord,
  code: SourceProblem['code'],
  detail: string | null,
  message: string,
): SourceProblem {
  const place = [linePosition(unit), record.path === '' ? null : record.path, detail];
  const position = place.filter((word) => word !== null).join(', ');
  return { code, origin: unit.file.origin, position: position === '' ? null : position, message };
}

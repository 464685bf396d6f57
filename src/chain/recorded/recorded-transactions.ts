import type { SourceProblem } from '../../model/errors.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import type { Slot } from '../../model/units.ts';
import { isObject } from '../rpc-json/json-value.ts';
import { CONTENT_BOUNDS } from './file-content.ts';
import type { FoundRecord } from './find-records.ts';
import { findInputs, type InputFile } from './input-files.ts';
import { type ReadRecord, readRecord } from './read-record.ts';
import { RecordLoader } from './record-loader.ts';
import { slotOfRecord } from './record-slot.ts';
import { fileNameOf, type LoadedUnit, type RecordUnit } from './record-unit.ts';

/** One item of the files in order, whether or not it can be ordered in a log. */
export type RecordedItem =
  | { readonly kind: 'block'; readonly block: ChainBlock; readonly origin: string }
  | {
      readonly kind: 'transaction';
      readonly transaction: ChainTransaction;
      /** Null when the record does not say. */
      readonly slot: Slot | null;
      readonly blockTimeMs: number | null;
      readonly origin: string;
    }
  | { readonly kind: 'problem'; readonly problem: SourceProblem };

/**
 * Reads records in the order of files and of records in them, for uses that need no state. Nothing
 * is merged, and only votes are left out; a block without a slot is returned as its transactions.
 * Throws UsageError when no path exists.
 */
export async function* readRecordedTransactions(
  paths: readonly string[],
): AsyncGenerator<RecordedItem> {
  const { files, problems } = findInputs(paths);
  for (const problem of problems) yield { kind: 'problem', problem };
  const loader = new RecordLoader(0, CONTENT_BOUNDS);
  try {
    for (const file of files) yield* readFile(file, loader);
  } finally {
    await loader.close();
  }
}

async function* readFile(file: InputFile, loader: RecordLoader): AsyncGenerator<RecordedItem> {
  for await (const [unit, loaded] of loader.loadFile(file)) {
    yield* readUnit(unit, loaded, loader);
  }
}

async function* readUnit(
  unit: RecordUnit,
  loaded: LoadedUnit,
  loader: RecordLoader,
): AsyncGenerator<RecordedItem> {
  if (loaded.status === 'fault') {
    yield { kind: 'problem', problem: loaded.problem };
    return;
  }
  for (const [at, record] of loaded.records.entries()) {
    for (const part of partsOf(record, fileNameOf(unit))) {
      const read = await readRecord(loader, unit, (records) => takePart(records[at], part));
      yield* toItems(read, unit.file.origin);
    }
  }
}

function* toItems(read: ReadRecord, origin: string): Generator<RecordedItem> {
  if (read.kind === 'problem') yield read;
  else if (read.kind === 'block') yield { kind: 'block', block: read.block, origin };
  else if (read.loose.transaction !== null) {
    const { transaction, slot, blockTimeMs } = read.loose;
    yield { kind: 'transaction', transaction, slot, blockTimeMs, origin };
  }
}

/**
 * Positions of the transactions to read singly: a block without a slot cannot be ordered in a log,
 * but its transactions can be read. Null stands for the whole record.
 */
function partsOf(record: FoundRecord, fileName: string): Iterable<number | null> {
  const { transactions } = record.value;
  if (record.kind === 'transaction' || slotOfRecord(record, fileName) !== null) return [null];
  return Array.isArray(transactions) ? transactions.keys() : [];
}

function takePart(record: FoundRecord | undefined, part: number | null): FoundRecord | undefined {
  if (record === undefined || part === null) return record;
  const { transactions, blockTime } = record.value;
  const value: unknown = Array.isArray(transactions) ? transactions[part] : undefined;
  if (!isObject(value)) return undefined;
  const path = `${record.path === '' ? '' : `${record.path}.`}transactions[${part}]`;
  return { kind: 'transaction', path, value: { transactionIndex: part, blockTime, ...value } };
}

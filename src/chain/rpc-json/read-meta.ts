import type { TokenBalance } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import {
  addressOf,
  arrayOf,
  countOrNull,
  isObject,
  type JsonObject,
  RecordRefusal,
  unsigned,
} from './json-value.ts';
import { mergeTokenBalances } from './token-balances.ts';

/** The runtime's record of one transaction, except for loaded addresses. */
export interface TransactionMeta {
  readonly error: string | null;
  readonly feeLamports: bigint;
  readonly computeUnitsUsed: number | null;
  readonly innerInstructions: readonly unknown[];
  readonly logMessages: readonly string[];
  readonly tokenBalances: readonly TokenBalance[];
  readonly lamportsBefore: readonly bigint[];
  readonly lamportsAfter: readonly bigint[];
}

/**
 * The ledger has inner instructions of mainnet from this slot on (October 2020). For later slots
 * null only means that the node did not keep them, so the record may be incomplete.
 */
const RECORDED_SINCE_SLOT = 43_200_000;
const NOTHING: readonly unknown[] = [];

/** What decides whether null may mean that there was nothing to record. */
export interface RecordAge {
  readonly slot: number | null;
  readonly isLegacy: boolean;
}

export function readMeta(meta: JsonObject, keyCount: number, age: RecordAge): TransactionMeta {
  const error = errorText(meta.err);
  const mayLack = mayLackRecords(error, age);
  const recorded = (field: string) => recordedArray(meta, field, mayLack);
  const before = lamportValues(meta, 'preBalances', keyCount);
  const after = lamportValues(meta, 'postBalances', keyCount);
  const lamportsBefore = before.map((value) => unsigned(value, 'preBalances'));
  return {
    error,
    feeLamports: unsigned(meta.fee, 'fee'),
    computeUnitsUsed: countOrNull(meta.computeUnitsConsumed, 'computeUnitsConsumed'),
    innerInstructions: recorded('innerInstructions'),
    logMessages: readLogs(meta.logMessages),
    tokenBalances: mergeTokenBalances(
      recorded('preTokenBalances'),
      recorded('postTokenBalances'),
      keyCount,
    ),
    lamportsBefore,
    lamportsAfter: after.map((value, index) =>
      value === before[index] ? (lamportsBefore[index] as bigint) : unsigned(value, 'postBalances'),
    ),
  };
}

/** True where missing inner instructions mean none: for failed transactions, and for old ones. */
export function mayLackRecords(error: string | null, { slot, isLegacy }: RecordAge): boolean {
  return error !== null || (isLegacy && slot !== null && slot < RECORDED_SINCE_SLOT);
}

/** Keys added by lookup tables, writable ones first. Refuses counts that contradict the message. */
export function readLoadedKeys(
  meta: JsonObject,
  writableLookups: number,
  readonlyLookups: number,
): readonly Address[] {
  if (writableLookups + readonlyLookups === 0) return [];
  const loaded = meta.loadedAddresses;
  if (!isObject(loaded)) {
    throw new RecordRefusal('missing-loaded-addresses', 'loadedAddresses is missing');
  }
  const writable = arrayOf(loaded.writable, 'loadedAddresses.writable');
  const readable = arrayOf(loaded.readonly, 'loadedAddresses.readonly');
  if (writable.length !== writableLookups || readable.length !== readonlyLookups) {
    const [found, total] = [writable.length + readable.length, writableLookups + readonlyLookups];
    throw new RecordRefusal('missing-loaded-addresses', `${found} of ${total} loaded addresses`);
  }
  return writable.concat(readable).map((key) => addressOf(key, 'loaded address'));
}

/** JSON text of the runtime's error; some writers use an empty value or `{}` for success. */
function errorText(err: unknown): string | null {
  if (err === undefined || err === null || err === '') return null;
  if (isObject(err) && Object.keys(err).length === 0) return null;
  return JSON.stringify(err);
}

function recordedArray(meta: JsonObject, field: string, mayLack: boolean): readonly unknown[] {
  const value = meta[field];
  if (Array.isArray(value)) return value;
  if (value !== undefined && value !== null) {
    throw new RecordRefusal('bad-transaction', `${field} is not an array`);
  }
  if (mayLack) return NOTHING;
  throw new RecordRefusal('missing-meta', `${field} is missing`);
}

function readLogs(logs: unknown): readonly string[] {
  if (logs === undefined || logs === null) return [];
  const lines = arrayOf(logs, 'logMessages');
  if (lines.every((line) => typeof line === 'string')) return lines;
  throw new RecordRefusal('bad-transaction', 'logMessages contains a value that is not text');
}

function lamportValues(meta: JsonObject, field: string, keyCount: number): readonly unknown[] {
  const values = arrayOf(meta[field], field);
  if (values.length === keyCount) return values;
  throw new RecordRefusal('bad-transaction', `${field} has ${values.length} of ${keyCount}`);
}

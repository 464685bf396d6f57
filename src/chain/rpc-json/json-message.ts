import { AccountKeys } from '../../model/account-keys.ts';
import type { ChainTransaction, TransactionConfig } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import {
  addressOf,
  arrayOf,
  count,
  countOrNull,
  isObject,
  type JsonObject,
  objectOf,
  RecordRefusal,
  unsigned,
} from './json-value.ts';

/** The signed message of a transaction in the encodings json and jsonParsed. */
export interface JsonMessage {
  readonly version: ChainTransaction['version'];
  readonly config: TransactionConfig | null;
  readonly signerCount: number;
  /** Static keys, and also the loaded ones where the node listed them (jsonParsed). */
  readonly keys: readonly Address[];
  /** Number of lookup table keys that are not in `keys` yet. */
  readonly writableLookups: number;
  readonly readonlyLookups: number;
  readonly usesLookupTables: boolean;
  readonly instructions: readonly unknown[];
}

/** Reads a message object; `version` is the record's own field, absent in old records. */
export function readJsonMessage(message: JsonObject, version: unknown): JsonMessage {
  const entries = arrayOf(message.accountKeys, 'accountKeys');
  const isParsed = isObject(entries[0]);
  const lookups = countLookups(message.addressTableLookups);
  const usesLookupTables = lookups.writable + lookups.readable > 0;
  return {
    version: toVersion(version, usesLookupTables),
    config: readConfig(message.transactionConfig),
    signerCount: isParsed ? countSigners(entries) : headerSigners(message, entries.length),
    keys: entries.map(keyOf),
    writableLookups: isParsed ? 0 : lookups.writable,
    readonlyLookups: isParsed ? 0 : lookups.readable,
    usesLookupTables,
    instructions: arrayOf(message.instructions, 'instructions'),
  };
}

/** The accounts of a message, including those added by lookup tables. */
export function keysOfMessage(message: JsonMessage, loaded: readonly Address[]): AccountKeys {
  return AccountKeys.ofTexts(loaded.length === 0 ? message.keys : message.keys.concat(loaded));
}

/** The config of a v1 message; the node omits the field for other versions. */
function readConfig(value: unknown): TransactionConfig | null {
  if (value === undefined || value === null) return null;
  const { priorityFee, computeUnitLimit } = objectOf(value, 'transactionConfig');
  return {
    priorityFeeLamports: priorityFee == null ? null : unsigned(priorityFee, 'priorityFee'),
    computeUnitLimit: countOrNull(computeUnitLimit, 'computeUnitLimit'),
  };
}

function keyOf(entry: unknown): Address {
  return addressOf(isObject(entry) ? entry.pubkey : entry, 'account key');
}

function countSigners(entries: readonly unknown[]): number {
  let signers = 0;
  while (signers < entries.length && (entries[signers] as JsonObject).signer === true) signers++;
  if (signers === 0) throw new RecordRefusal('bad-transaction', 'no account key signed');
  return signers;
}

function headerSigners(message: JsonObject, keyCount: number): number {
  const header = objectOf(message.header, 'message header');
  const signers = count(header.numRequiredSignatures, 'numRequiredSignatures');
  if (signers > 0 && signers <= keyCount) return signers;
  throw new RecordRefusal('bad-transaction', `${signers} signers of ${keyCount} keys`);
}

function countLookups(tables: unknown): { writable: number; readable: number } {
  const lookups = { writable: 0, readable: 0 };
  if (tables === undefined || tables === null) return lookups;
  for (const table of arrayOf(tables, 'addressTableLookups')) {
    const entry = objectOf(table, 'addressTableLookup');
    // Early clients of @solana/kit wrote the field as `readableIndexes`.
    const readonlyIndexes = entry.readonlyIndexes ?? entry.readableIndexes;
    lookups.writable += arrayOf(entry.writableIndexes, 'writableIndexes').length;
    lookups.readable += arrayOf(readonlyIndexes, 'readonlyIndexes').length;
  }
  return lookups;
}

function toVersion(version: unknown, usesLookupTables: boolean): ChainTransaction['version'] {
  if (version === undefined || version === null) return usesLookupTables ? 0 : 'legacy';
  if (version === 'legacy' || version === 0 || version === 1) return version;
  if (version === '0' || version === '1') return version === '0' ? 0 : 1;
  throw new RecordRefusal('unsupported-version', `transaction version ${JSON.stringify(version)}`);
}

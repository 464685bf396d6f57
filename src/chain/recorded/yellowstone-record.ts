import { encodeBase58, isBase58Of32Bytes } from '../../lib/base58.ts';
import { isObject, type JsonObject } from '../rpc-json/json-value.ts';
import { bytesOf, type TextEncoding } from './byte-forms.ts';

/**
 * Converts records of Yellowstone gRPC updates, as JSON, to the shape of the RPC answer. Protobuf
 * omits zeros and stores keys and data as bytes, which each writer turns into JSON its own way.
 */
export function isYellowstoneTransaction(record: JsonObject): boolean {
  const { meta, transaction } = record;
  if (!isObject(transaction) || !isObject(transaction.message)) return false;
  return record.isVote !== undefined || (isObject(meta) && 'loadedWritableAddresses' in meta);
}

/** The record of one transaction. Invalid values are passed on for the reader to refuse. */
export function fromYellowstoneTransaction(record: JsonObject): JsonObject {
  const transaction = record.transaction as JsonObject;
  const message = transaction.message as JsonObject;
  const toText = textsOf(encodingOf(message));
  const lookups = lookupsOf(message, record.meta);
  return {
    transaction: {
      signatures: listOf(transaction.signatures).map(toText),
      message: {
        header: message.header,
        accountKeys: listOf(message.accountKeys).map(toText),
        instructions: listOf(message.instructions).map(instructionWith(toText)),
        addressTableLookups: lookups,
        transactionConfig: message.config,
      },
    },
    meta: isObject(record.meta) ? toMeta(record.meta, toText) : record.meta,
    version: record.version ?? versionOf(message, lookups),
    transactionIndex: record.index,
  };
}

/** The record of a block, which may contain only some of the transactions. */
export function fromYellowstoneBlock(block: JsonObject): JsonObject {
  return {
    ...block,
    previousBlockhash: block.parentBlockhash,
    transactions: listOf(block.transactions).map((record) =>
      isObject(record) && isYellowstoneTransaction(record)
        ? fromYellowstoneTransaction(record)
        : record,
    ),
  };
}

/** In streams only the config distinguishes v1 from v0. */
function versionOf(message: JsonObject, lookups: readonly unknown[]): 'legacy' | 0 | 1 {
  if (isObject(message.config)) return 1;
  return lookups.length > 0 || message.versioned === true ? 0 : 'legacy';
}

type ToText = (value: unknown) => string | null;

/** Base58 text is kept; bytes in any other form become base58. */
function textsOf(encoding: TextEncoding): ToText {
  return (value) => {
    if (typeof value === 'string' && encoding === 'base58') return value;
    const bytes = bytesOf(value, encoding);
    return bytes === null || bytes.length > BYTES_MAX ? null : encodeBase58(bytes);
  };
}

const BYTES_MAX = 2_048;

/** A writer encodes all bytes alike; the first key shows how. */
function encodingOf(message: JsonObject): TextEncoding {
  const first = listOf(message.accountKeys)[0];
  return typeof first === 'string' && !isBase58Of32Bytes(first) ? 'base64' : 'base58';
}

function toMeta(meta: JsonObject, toText: ToText): JsonObject {
  const isWithoutInner = meta.innerInstructionsNone === true;
  return {
    ...meta,
    fee: meta.fee ?? 0,
    innerInstructions: isWithoutInner
      ? null
      : listOf(meta.innerInstructions).map((group) => toGroup(group, toText)),
    preTokenBalances: listOf(meta.preTokenBalances).map(toTokenBalance),
    postTokenBalances: listOf(meta.postTokenBalances).map(toTokenBalance),
    loadedAddresses: {
      writable: listOf(meta.loadedWritableAddresses).map(toText),
      readonly: listOf(meta.loadedReadonlyAddresses).map(toText),
    },
  };
}

function toGroup(group: unknown, toText: ToText): unknown {
  if (!isObject(group)) return group;
  const instructions = listOf(group.instructions).map(instructionWith(toText));
  return { index: group.index ?? 0, instructions };
}

function instructionWith(toText: ToText): (value: unknown) => unknown {
  return (value) => {
    if (!isObject(value)) return value;
    return {
      programIdIndex: value.programIdIndex ?? 0,
      accounts: indexesOf(value.accounts),
      data: value.data === undefined ? '' : toText(value.data),
      stackHeight: value.stackHeight,
    };
  };
}

/** Some writers drop the lookups and keep the loaded addresses: these then give the counts. */
function lookupsOf(message: JsonObject, meta: unknown): readonly unknown[] {
  const lookups = listOf(message.addressTableLookups);
  if (lookups.length > 0) return lookups.map(toLookup);
  const { loadedWritableAddresses, loadedReadonlyAddresses } = isObject(meta) ? meta : NO_FIELDS;
  const writableIndexes = listOf(loadedWritableAddresses);
  const readonlyIndexes = listOf(loadedReadonlyAddresses);
  const isEmpty = writableIndexes.length + readonlyIndexes.length === 0;
  return isEmpty ? [] : [{ writableIndexes, readonlyIndexes }];
}

const NO_FIELDS: JsonObject = {};

function toLookup(value: unknown): unknown {
  if (!isObject(value)) return value;
  return {
    writableIndexes: indexesOf(value.writableIndexes),
    readonlyIndexes: indexesOf(value.readonlyIndexes),
  };
}

/** Account indices are bytes. As text they are tried as base58, then as base64. */
function indexesOf(value: unknown): number[] | null {
  if (value === undefined) return [];
  const bytes = bytesOf(value, 'base58') ?? bytesOf(value, 'base64');
  return bytes === null ? null : [...bytes];
}

function toTokenBalance(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.uiTokenAmount)) return value;
  const { uiTokenAmount } = value;
  return {
    ...value,
    accountIndex: value.accountIndex ?? 0,
    uiTokenAmount: { ...uiTokenAmount, decimals: uiTokenAmount.decimals ?? 0 },
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

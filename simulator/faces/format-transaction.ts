import { encodeBase58 } from '../../src/lib/base58.ts';
import type { SimulatedBlock, SimulatedTransaction } from '../chain/simulated-transaction.ts';
import { formatCompiled, formatOuter, formatParsed, keysOf } from './format-instructions.ts';
import { formatMeta, formatShortMeta } from './format-meta.ts';
import { writeWire } from './write-wire.ts';

export const TRANSACTION_ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58'] as const;
export type TransactionEncoding = (typeof TRANSACTION_ENCODINGS)[number];

/** The options of a `getTransaction` call. */
export interface TransactionFormat {
  readonly encoding: TransactionEncoding;
  /** Null if the caller does not set it: then only legacy transactions can be returned. */
  readonly maxSupportedTransactionVersion: number | null;
}

/**
 * A node's answer, or the JSON-RPC error in its place. The answer is plain JSON for `stringify`.
 */
export type Formatted =
  | { readonly status: 'ok'; readonly answer: object }
  | { readonly status: 'refused'; readonly code: number; readonly message: string };

/** The node's code for a transaction of a version that the caller does not support. */
export const UNSUPPORTED_VERSION = -32_015;

/** The `result` of `getTransaction`, key by key as agave sends it. */
export function formatTransaction(
  { slot, blockTime }: SimulatedBlock,
  transaction: SimulatedTransaction,
  format: TransactionFormat,
): Formatted {
  const refusal = versionRefusal([transaction], format.maxSupportedTransactionVersion);
  if (refusal !== null) return refusal;
  const { meta, transaction: body, ...rest } = formatRecord(transaction, format, true);
  return { status: 'ok', answer: { blockTime, meta, slot, transaction: body, ...rest } };
}

/** Refuses if one of the transactions has a version the caller did not allow. */
export function versionRefusal(
  transactions: readonly SimulatedTransaction[],
  maxVersion: number | null,
): (Formatted & { readonly status: 'refused' }) | null {
  const newer = transactions.find(
    ({ version }) => version !== 'legacy' && (maxVersion === null || version > maxVersion),
  );
  if (newer === undefined) return null;
  const { version } = newer;
  const message =
    `Transaction version (${version}) is not supported by the requesting client. Please try the ` +
    `request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`;
  return { status: 'refused', code: UNSUPPORTED_VERSION, message };
}

/** One entry of a block's `transactions`. */
export interface TransactionRecord {
  readonly meta: object;
  readonly transaction: object;
  /** Omitted for callers that do not set a maximum version. */
  readonly version?: 'legacy' | 0;
}

export function formatRecord(
  transaction: SimulatedTransaction,
  { encoding, maxSupportedTransactionVersion }: TransactionFormat,
  showRewards: boolean,
): TransactionRecord {
  const isParsed = encoding === 'jsonParsed';
  return {
    meta: formatMeta(transaction, { isParsed, showRewards }),
    transaction: formatBody(transaction, encoding),
    ...versionOf(transaction, maxSupportedTransactionVersion),
  };
}

/** An entry of a block requested with `transactionDetails: "accounts"`. */
export function formatAccountsRecord(
  transaction: SimulatedTransaction,
  maxVersion: number | null,
  showRewards: boolean,
): TransactionRecord {
  const { signatures } = transaction;
  return {
    meta: formatShortMeta(transaction, showRewards),
    transaction: { accountKeys: formatKeys(transaction), signatures },
    ...versionOf(transaction, maxVersion),
  };
}

function versionOf({ version }: SimulatedTransaction, maxVersion: number | null) {
  return maxVersion === null ? {} : { version };
}

function formatBody(transaction: SimulatedTransaction, encoding: TransactionEncoding): object {
  switch (encoding) {
    case 'base64': {
      const { buffer, byteOffset, byteLength } = writeWire(transaction);
      return [Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'base64'];
    }
    case 'base58':
      return [encodeBase58(writeWire(transaction)), 'base58'];
    case 'json':
      return { message: formatMessage(transaction), signatures: transaction.signatures };
    case 'jsonParsed':
      return { message: formatParsedMessage(transaction), signatures: transaction.signatures };
  }
}

function formatMessage(transaction: SimulatedTransaction): object {
  const { header, staticKeys, instructions, recentBlockhash } = transaction;
  return {
    accountKeys: staticKeys,
    ...formatLookups(transaction),
    header: {
      numReadonlySignedAccounts: header.readonlySigned,
      numReadonlyUnsignedAccounts: header.readonlyUnsigned,
      numRequiredSignatures: header.requiredSignatures,
    },
    instructions: formatOuter(instructions, formatCompiled),
    recentBlockhash,
  };
}

function formatParsedMessage(transaction: SimulatedTransaction): object {
  return {
    accountKeys: formatKeys(transaction),
    ...formatLookups(transaction),
    instructions: formatOuter(transaction.instructions, formatParsed(keysOf(transaction))),
    recentBlockhash: transaction.recentBlockhash,
  };
}

function formatLookups({ version, lookups }: SimulatedTransaction): object {
  if (version === 'legacy') return {};
  return {
    addressTableLookups: lookups.map(({ table, readonlyIndexes, writableIndexes }) => ({
      accountKey: table,
      readonlyIndexes,
      writableIndexes,
    })),
  };
}

/** Every key with its role in the message: signer, writable, source. */
function formatKeys(transaction: SimulatedTransaction): object[] {
  const { header, staticKeys, loadedWritable } = transaction;
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  return keysOf(transaction).map((pubkey, index) => {
    const signer = index < requiredSignatures;
    if (index >= staticKeys.length) {
      const writable = index < staticKeys.length + loadedWritable.length;
      return { pubkey, signer, source: 'lookupTable', writable };
    }
    const end = signer ? requiredSignatures - readonlySigned : staticKeys.length - readonlyUnsigned;
    return { pubkey, signer, source: 'transaction', writable: index < end };
  });
}

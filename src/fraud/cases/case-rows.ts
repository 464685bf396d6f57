import { type Field, rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { decodeSignature, SIGNATURE_BYTES } from '../../lib/signature-text.ts';
import type { TransactionRef } from '../../model/mint-case.ts';
import { asSlot, type Signature, signatureOfBytes } from '../../model/units.ts';

const U64_MAX = 2n ** 64n - 1n;

/** Position of an entry in the chain; the signature is stored as bytes. */
export const TRANSACTION_REF_FIELDS = {
  signature: ['u8', SIGNATURE_BYTES],
  timeMs: 'f64',
  slot: 'u32',
  txIndex: 'u32',
} as const;

/** In all rows, addresses are numbers and `next…` is the next row of a log plus one, 0 for none. */
export const TRADE_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  baseRaw: 'u64',
  lamports: 'u64',
  usd: 'u64',
  poolLamports: 'u64',
  priceSol: 'f64',
  wallet: 'u32',
  feePayer: 'u32',
  pool: 'u32',
  /** Number plus one, 0 for none. */
  privateProgram: 'u32',
  /** First row of the cosigners plus one, 0 for none. */
  cosigner: 'u32',
  next: 'u32',
  /** Index of its first transaction plus one, 0 for no group. */
  group: 'u32',
  flags: 'u8',
  level: 'u8',
});

export const COSIGNER_LAYOUT = rowLayout({ wallet: 'u32', next: 'u32' });

export const TRANSFER_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  amountRaw: 'u64',
  from: 'u32',
  to: 'u32',
  next: 'u32',
});

/** Amounts without sign: a change of a pool can take 64 bits plus the sign. */
export const LIQUIDITY_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  baseRaw: 'u64',
  lamports: 'u64',
  pool: 'u32',
  provider: 'u32',
  next: 'u32',
  isBaseOut: 'u8',
  isLamportsOut: 'u8',
});

export const LOCK_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  amountRaw: 'u64',
  firstUnlockMs: 'f64',
  owner: 'u32',
  escrow: 'u32',
  next: 'u32',
  isForever: 'u8',
});

/** A row is in the logs of both wallets and is removed when neither log contains it. */
export const PAYMENT_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  lamports: 'u64',
  /** Sequence number among all payments: orders those of one transaction. */
  order: 'f64',
  from: 'u32',
  to: 'u32',
  nextOfFrom: 'u32',
  nextOfTo: 'u32',
  logs: 'u8',
});

/** A page that is written to, and the offset of a row in it. */
export interface RowOffset {
  readonly page: DataView;
  readonly at: number;
}

/** Fields of every entry. */
export interface TransactionRefFields {
  readonly signature: Field<'u8'>;
  readonly timeMs: Field<'f64'>;
  readonly slot: Field<'u32'>;
  readonly txIndex: Field<'u32'>;
}

/** Whether a row can store an amount. */
export function isWord(amount: bigint): boolean {
  return amount >= 0n && amount <= U64_MAX;
}

/** False for a signature that is not the base58 text of 64 bytes: rows cannot store it. */
export function isTransactionRef({ signature }: TransactionRef): boolean {
  return bytesOf(signature) !== null;
}

/**
 * Writes the position of an entry, and returns the page and row offset for its other fields. Throws
 * RangeError for an invalid signature.
 */
export function writeTransactionRef(
  rows: RowTable,
  row: number,
  fields: TransactionRefFields,
  { signature, timeMs, slot, txIndex }: TransactionRef,
): RowOffset {
  const bytes = bytesOf(signature);
  if (bytes === null) throw new RangeError(`${signature} is not a signature`);
  const page = rows.changing(row);
  const at = rows.startOf(row);
  rows.pageOf(row).set(bytes, at + fields.signature.offset);
  page.setFloat64(at + fields.timeMs.offset, timeMs, true);
  rows.setNumber(row, fields.slot, slot);
  rows.setNumber(row, fields.txIndex, txIndex);
  return { page, at };
}

export function readTransactionRef(
  rows: RowTable,
  row: number,
  fields: TransactionRefFields,
): TransactionRef {
  const page = rows.viewOf(row);
  const at = rows.startOf(row);
  return {
    slot: asSlot(page.getUint32(at + fields.slot.offset, true)),
    timeMs: page.getFloat64(at + fields.timeMs.offset, true),
    txIndex: page.getUint32(at + fields.txIndex.offset, true),
    signature: readSignature(rows, row, fields),
  };
}

export function readSignature(
  rows: RowTable,
  row: number,
  { signature }: Pick<TransactionRefFields, 'signature'>,
): Signature {
  return signatureOfBytes(rows.pageOf(row), rows.startOf(row) + signature.offset);
}

/** Cache: entries of one transaction follow each other, which avoids most decoding. */
const last = { signature: '', isSignature: false, bytes: new Uint8Array(SIGNATURE_BYTES) };

/** The result is valid until the next call. */
function bytesOf(signature: Signature): Uint8Array | null {
  if (signature !== last.signature) {
    last.signature = signature;
    last.isSignature = decodeSignature(signature, last.bytes);
  }
  return last.isSignature ? last.bytes : null;
}

import { decodeBase58, encodeBase58 } from '../../lib/base58.ts';
import { type Field, type RowTable, rowLayout } from '../../lib/row-table.ts';
import type { CasePlace } from '../../model/mint-case.ts';
import type { Signature, Slot } from '../../model/units.ts';

const SIGNATURE_WORDS = 8;
const WORD_BYTES = 8;
const SIGNATURE_BYTES = SIGNATURE_WORDS * WORD_BYTES;
const U64_MAX = 2n ** 64n - 1n;

/** Where an entry stands in the chain; a signature lies there byte by byte. */
const PLACE = {
  signature: ['u64', SIGNATURE_WORDS],
  timeMs: 'f64',
  slot: 'u32',
  txIndex: 'u32',
} as const;

/** Of all rows: addresses are numbers, `next…` is the next row of a log plus one, 0 for none. */
export const TRADE_LAYOUT = rowLayout({
  ...PLACE,
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
  /** Number of the name plus one, 0 for no group. */
  group: 'u16',
  flags: 'u8',
  level: 'u8',
});

export const COSIGNER_LAYOUT = rowLayout({ wallet: 'u32', next: 'u32' });

export const TRANSFER_LAYOUT = rowLayout({
  ...PLACE,
  amountRaw: 'u64',
  from: 'u32',
  to: 'u32',
  next: 'u32',
});

/** Amounts without their sign: a pool's change can take 64 bits and a sign. */
export const LIQUIDITY_LAYOUT = rowLayout({
  ...PLACE,
  baseRaw: 'u64',
  lamports: 'u64',
  pool: 'u32',
  provider: 'u32',
  next: 'u32',
  isBaseOut: 'u8',
  isLamportsOut: 'u8',
});

export const LOCK_LAYOUT = rowLayout({
  ...PLACE,
  amountRaw: 'u64',
  firstUnlockMs: 'f64',
  owner: 'u32',
  next: 'u32',
  isForever: 'u8',
});

/** In the logs of both wallets at once; the row goes when neither has it any more. */
export const PAYMENT_LAYOUT = rowLayout({
  ...PLACE,
  lamports: 'u64',
  /** The how many-th payment of all it was: sorts those of one transaction. */
  order: 'f64',
  from: 'u32',
  to: 'u32',
  nextOfFrom: 'u32',
  nextOfTo: 'u32',
  logs: 'u8',
});

/** Fields that every entry has. */
export interface PlaceFields {
  readonly signature: Field<'u64'>;
  readonly timeMs: Field<'f64'>;
  readonly slot: Field<'u32'>;
  readonly txIndex: Field<'u32'>;
}

/** True for what a row can hold of an amount. */
export function isWord(amount: bigint): boolean {
  return amount >= 0n && amount <= U64_MAX;
}

/** Throws RangeError for a signature that is not the base58 text of 64 bytes. */
export function writePlace(rows: RowTable, row: number, fields: PlaceFields, place: CasePlace) {
  const bytes = decodeBase58(place.signature);
  if (bytes?.length !== SIGNATURE_BYTES) {
    throw new RangeError(`${place.signature} is no signature`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, SIGNATURE_BYTES);
  for (let word = 0; word < SIGNATURE_WORDS; word++) {
    rows.setBigint(row, fields.signature, view.getBigUint64(word * WORD_BYTES, true), word);
  }
  rows.setNumber(row, fields.timeMs, place.timeMs);
  rows.setNumber(row, fields.slot, place.slot);
  rows.setNumber(row, fields.txIndex, place.txIndex);
}

export function readPlace(rows: RowTable, row: number, fields: PlaceFields): CasePlace {
  const start = fields.signature.offset;
  return {
    slot: rows.number(row, fields.slot) as Slot,
    timeMs: rows.number(row, fields.timeMs),
    txIndex: rows.number(row, fields.txIndex),
    signature: encodeBase58(rows.bytes(row), start, start + SIGNATURE_BYTES) as Signature,
  };
}

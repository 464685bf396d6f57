import { isBase58Of32Bytes } from '../../lib/base58.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import { asSlot, SLOT_MAX, type Slot } from '../../model/units.ts';
import { RecordRefusal } from '../rpc-json/json-value.ts';
import { type ByteReading, readingBytes } from '../rpc-json/read-block.ts';
import { readConfirmedTransaction } from './confirmed-transaction.ts';
import { ProtobufReader } from './protobuf-reader.ts';

/**
 * Reads a `solana.storage.ConfirmedBlock`, the protobuf format in which ledgers are stored
 * (storage-proto/proto/confirmed_block.proto of Agave), as a whole or not at all. The message
 * carries no slot: pass the requested one; without it the slot after the parent's is assumed.
 */
export function readConfirmedBlock(
  bytes: Uint8Array,
  slot: Slot | null = null,
): ByteReading<ChainBlock> {
  return readingBytes(() => {
    const reader = new ProtobufReader(bytes);
    const head = readHead(reader);
    const ownSlot = slot ?? asSlot(head.parentSlot + 1);
    const { transactionSpans } = head;
    const transactions: ChainTransaction[] = [];
    for (let at = 0; at < transactionSpans.length; at += 2) {
      const [start, end] = [transactionSpans[at] as number, transactionSpans[at + 1] as number];
      const position = { slot: ownSlot, txIndex: at / 2 };
      const transaction = atIndex(position.txIndex, () =>
        readConfirmedTransaction(reader, start, end, position),
      );
      if (transaction !== null) transactions.push(transaction);
    }
    return {
      slot: ownSlot,
      parentSlot: head.parentSlot,
      blockhash: textOrNull(head.blockhash),
      previousBlockhash: textOrNull(head.previousBlockhash),
      blockTimeMs: head.blockTimeMs,
      isWhole: true,
      transactions,
      voteCount: transactionSpans.length / 2 - transactions.length,
    };
  });
}

/**
 * Whether the content begins like a ConfirmedBlock: the previous block's hash and the block's hash,
 * each as base58 text in its field. No text file begins like this.
 */
export function isConfirmedBlock(bytes: Uint8Array): boolean {
  const afterFirst = hashEnd(bytes, 0, 1);
  return afterFirst > 0 && hashEnd(bytes, afterFirst, 2) > 0;
}

/** The parent's slot, read from the head alone. */
export function readParentSlot(bytes: Uint8Array): ByteReading<Slot> {
  return readingBytes(() => readHead(new ProtobufReader(bytes)).parentSlot);
}

function hashEnd(bytes: Uint8Array, start: number, field: number): number {
  const length = bytes[start + 1] ?? 0;
  if (bytes[start] !== field * 8 + 2 || length > HASH_TEXT_MAX) return -1;
  const end = start + 2 + length;
  const text = String.fromCharCode(...bytes.subarray(start + 2, end));
  return isBase58Of32Bytes(text) ? end : -1;
}

/** Maximum length of the base58 text of 32 bytes. */
const HASH_TEXT_MAX = 44;

interface BlockHead {
  previousBlockhash: string;
  blockhash: string;
  parentSlot: Slot;
  blockTimeMs: number | null;
  /** Start and end of each transaction alternately. */
  readonly transactionSpans: number[];
}

function readHead(reader: ProtobufReader): BlockHead {
  const head: BlockHead = {
    previousBlockhash: '',
    blockhash: '',
    parentSlot: asSlot(0),
    blockTimeMs: null,
    transactionSpans: [],
  };
  while (reader.next()) {
    if (reader.field === 1) head.previousBlockhash = reader.text();
    else if (reader.field === 2) head.blockhash = reader.text();
    else if (reader.field === 3) head.parentSlot = readSlot(reader);
    else if (reader.field === 4) {
      reader.span();
      head.transactionSpans.push(reader.start, reader.end);
    } else if (reader.field === 6) head.blockTimeMs = readBlockTimeMs(reader);
    else reader.skip();
  }
  return head;
}

export function readSlot(reader: ProtobufReader): Slot {
  return asSlot(reader.count(SLOT_MAX - 1, 'slot'));
}

/** Largest time a Date can represent, in seconds. */
const TIME_MAX_S = 8_640_000_000_000;

/** A `UnixTimestamp`; a zero is omitted, as in every protobuf message. */
export function readBlockTimeMs(reader: ProtobufReader): number {
  let timeS = 0n;
  const outer = reader.open();
  while (reader.next()) {
    if (reader.field === 1) timeS = reader.unsigned();
    else reader.skip();
  }
  reader.close(outer);
  if (timeS <= BigInt(TIME_MAX_S)) return Number(timeS) * 1_000;
  const seconds = BigInt.asIntN(64, timeS);
  throw new RecordRefusal('bad-transaction', `blockTime ${seconds} is not a valid time`);
}

/** Adds the position of the transaction to a RecordRefusal thrown by `read`. */
export function atIndex<T>(txIndex: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordRefusal) error.txIndex = txIndex;
    throw error;
  }
}

export function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}

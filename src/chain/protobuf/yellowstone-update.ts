import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { type ByteReading, type LooseTransaction, readingBytes } from '../rpc-json/read-block.ts';
import {
  BLOCK_FIELDS,
  BLOCK_META_FIELDS,
  type BlockMeta,
  readBlockFields,
} from './block-fields.ts';
import { atIndex, readSlot } from './confirmed-block.ts';
import { emptyParts, locateMeta, readParts } from './confirmed-transaction.ts';
import { ProtobufReader } from './protobuf-reader.ts';
import { readSigned } from './signed-message.ts';

/** The status of a slot in a stream; `other` covers states before `processed`. */
export type SlotStatus = 'processed' | 'confirmed' | 'finalized' | 'dead' | 'other';

/** One message of a Yellowstone stream. A bank is one execution of a slot; 0 where not given. */
export type YellowstoneUpdate =
  | TransactionUpdate
  | BlocklessUpdate
  | { readonly kind: 'block'; readonly block: ChainBlock };

interface TransactionUpdate {
  readonly kind: 'transaction';
  readonly loose: LooseTransaction;
  /** Position in the block, counting votes. */
  readonly txIndex: number;
  readonly bankId: bigint;
}

/** Updates without transactions. */
type BlocklessUpdate =
  | { readonly kind: 'blockMeta'; readonly meta: BlockMeta; readonly bankId: bigint }
  | {
      readonly kind: 'slot';
      readonly slot: Slot;
      readonly parentSlot: Slot | null;
      readonly status: SlotStatus;
    }
  /** Anything else, such as a ping, by its field number in `SubscribeUpdate`; 0 when empty. */
  | { readonly kind: 'other'; readonly field: number };

/** The same with transactions located but not read: views into the message's memory. */
export type LocatedUpdate =
  | LocatedTransaction
  | {
      readonly kind: 'block';
      readonly meta: BlockMeta;
      /** Transactions and votes in the message. */
      readonly transactionCount: number;
      /** The `SubscribeUpdateBlock`. */
      readonly content: Uint8Array;
    }
  | BlocklessUpdate;

/** A transaction that has been located but not read. */
export interface LocatedTransaction {
  readonly kind: 'transaction';
  readonly slot: Slot;
  readonly txIndex: number;
  readonly bankId: bigint;
  /** As one character per byte; identifies the transaction. */
  readonly signature: string;
  /** The `SubscribeUpdateTransactionInfo`. */
  readonly info: Uint8Array;
}

/**
 * Reads a `SubscribeUpdate` of geyser.proto (github.com/rpcpool/yellowstone-grpc, release 12.6) as
 * it arrives, as a whole or not at all.
 */
export function readYellowstoneUpdate(bytes: Uint8Array): ByteReading<YellowstoneUpdate> {
  return readingBytes(() => {
    const update = locateUpdate(bytes);
    if (update.kind === 'block') {
      return { kind: 'block', block: readBlockUpdate(new ProtobufReader(update.content)) };
    }
    if (update.kind !== 'transaction') return update;
    const { slot, bankId, info } = update;
    const { transaction, txIndex } = readInfo(new ProtobufReader(info), 0, info.length, slot);
    return {
      kind: 'transaction',
      loose: { slot, blockTimeMs: null, transaction },
      txIndex,
      bankId,
    };
  });
}

/** Locates the contents of a `SubscribeUpdate`; its transactions are not validated yet. */
export function locateYellowstoneUpdate(bytes: Uint8Array): ByteReading<LocatedUpdate> {
  return readingBytes(() => locateUpdate(bytes));
}

function locateUpdate(bytes: Uint8Array): LocatedUpdate {
  const reader = new ProtobufReader(bytes);
  let [field, start, end] = [0, 0, 0];
  while (reader.next()) {
    if (IS_UPDATE.has(reader.field)) {
      reader.span();
      // Of several members of a oneof the last one counts.
      [field, start, end] = [reader.field, reader.start, reader.end];
    } else reader.skip();
  }
  reader.enter(start, end);
  if (field === SLOT) return readSlotUpdate(reader);
  if (field === TRANSACTION) return locateTransaction(reader);
  if (field === BLOCK) {
    const { meta, spans } = readBlockFields(reader, BLOCK_FIELDS);
    const content = reader.bytes.subarray(start, end);
    return { kind: 'block', meta, transactionCount: spans.length / 2, content };
  }
  if (field === BLOCK_META) return { kind: 'blockMeta', ...readMetaUpdate(reader) };
  return { kind: 'other', field };
}

/** Reads a bare `SubscribeUpdateTransaction`. It carries no block time. */
export function readUpdateTransaction(bytes: Uint8Array): ByteReading<LooseTransaction> {
  return readingBytes(() => {
    const reader = new ProtobufReader(bytes);
    const { slot, info } = locateTransaction(reader);
    const { transaction } = readInfo(new ProtobufReader(info), 0, info.length, slot);
    return { slot, blockTimeMs: null, transaction };
  });
}

/** Reads a bare `SubscribeUpdateBlock`, which may contain only some of the transactions. */
export function readUpdateBlock(bytes: Uint8Array): ByteReading<ChainBlock> {
  return readingBytes(() => readBlockUpdate(new ProtobufReader(bytes)));
}

/** Reads a bare `SubscribeUpdateBlockMeta`. */
export function readUpdateBlockMeta(bytes: Uint8Array): ByteReading<BlockMeta> {
  return readingBytes(() => readMetaUpdate(new ProtobufReader(bytes)).meta);
}

/** Members of the oneof in `SubscribeUpdate`. */
const SLOT = 3;
const TRANSACTION = 4;
const BLOCK = 5;
const BLOCK_META = 7;
const IS_UPDATE: ReadonlySet<number> = new Set([
  2,
  SLOT,
  TRANSACTION,
  BLOCK,
  6,
  BLOCK_META,
  8,
  9,
  10,
  12,
]);

/** Names of `SlotStatus` by number; shred and bank-creation statuses are not used. */
const SLOT_STATUSES: readonly SlotStatus[] = [
  'processed',
  'confirmed',
  'finalized',
  'other',
  'other',
  'other',
  'dead',
];

function readSlotUpdate(reader: ProtobufReader): BlocklessUpdate {
  let slot = asSlot(0);
  let parentSlot: Slot | null = null;
  let status = 0;
  while (reader.next()) {
    if (reader.field === 1) slot = readSlot(reader);
    else if (reader.field === 2) parentSlot = readSlot(reader);
    else if (reader.field === 3) status = reader.count(Number.MAX_SAFE_INTEGER, 'status');
    else reader.skip();
  }
  return { kind: 'slot', slot, parentSlot, status: SLOT_STATUSES[status] ?? 'other' };
}

function locateTransaction(reader: ProtobufReader): LocatedTransaction {
  let slot = asSlot(0);
  let bankId = 0n;
  let [start, end] = [0, 0];
  while (reader.next()) {
    if (reader.field === 1) {
      reader.span();
      [start, end] = [reader.start, reader.end];
    } else if (reader.field === 2) slot = readSlot(reader);
    else if (reader.field === 3) bankId = reader.unsigned();
    else reader.skip();
  }
  let txIndex = 0;
  let signature = '';
  reader.enter(start, end);
  while (reader.next()) {
    if (reader.field === 1) signature = reader.latin1();
    else if (reader.field === 5) txIndex = readTxIndex(reader);
    else reader.skip();
  }
  const info = reader.bytes.subarray(start, end);
  return { kind: 'transaction', slot, txIndex, bankId, signature, info };
}

function readTxIndex(reader: ProtobufReader): number {
  return reader.count(Number.MAX_SAFE_INTEGER, 'index');
}

/** A `SubscribeUpdateTransactionInfo`; the transaction is null for a vote. */
function readInfo(
  reader: ProtobufReader,
  start: number,
  end: number,
  slot: Slot,
): { readonly transaction: ChainTransaction | null; readonly txIndex: number } {
  const parts = emptyParts();
  let txIndex = 0;
  reader.enter(start, end);
  while (reader.next()) {
    if (reader.field === 3) readSigned(reader, parts.signed);
    else if (reader.field === 4) locateMeta(reader, parts);
    else if (reader.field === 5) txIndex = readTxIndex(reader);
    else reader.skip();
  }
  const transaction = atIndex(txIndex, () => readParts(reader, parts, { slot, txIndex }));
  return { transaction, txIndex };
}

function readMetaUpdate(reader: ProtobufReader): {
  readonly meta: BlockMeta;
  readonly bankId: bigint;
} {
  const { meta, bankId } = readBlockFields(reader, BLOCK_META_FIELDS);
  return { meta, bankId };
}

function readBlockUpdate(reader: ProtobufReader): ChainBlock {
  const { meta, spans } = readBlockFields(reader, BLOCK_FIELDS);
  const { executedTransactionCount, ...head } = meta;
  const transactions: ChainTransaction[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    const [start, end] = [spans[at] as number, spans[at + 1] as number];
    const { transaction } = readInfo(reader, start, end, meta.slot);
    if (transaction !== null) transactions.push(transaction);
  }
  const count = spans.length / 2;
  return {
    ...head,
    isWhole: executedTransactionCount === count,
    transactions,
    voteCount: count - transactions.length,
  };
}

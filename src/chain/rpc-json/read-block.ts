import type { SourceProblemCode } from '../../model/errors.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import {
  arrayOf,
  count,
  countOrNull,
  ImpreciseInteger,
  isObject,
  type JsonObject,
  objectOf,
  RecordRefusal,
  slotOrNull,
} from './json-value.ts';
import { readTransactionRecord } from './read-transaction.ts';

/** The result of reading a binary record, where integers are exact. */
export type ByteReading<T> =
  | { readonly status: 'ok'; readonly value: T }
  | {
      readonly status: 'refused';
      readonly code: SourceProblemCode;
      /** Names the transaction at fault, null when the whole record is meant. */
      readonly position: string | null;
      readonly message: string;
    };

/** The result of reading a JSON record. */
export type Reading<T> =
  | ByteReading<T>
  /** An integer above 2^53 was rounded: parse the text again with `parseLossless`. */
  | { readonly status: 'imprecise' };

/** A transaction received without its block. */
export interface LooseTransaction {
  readonly slot: Slot | null;
  readonly blockTimeMs: number | null;
  /** Null for a vote. */
  readonly transaction: ChainTransaction | null;
}

/**
 * Reads a `getBlock` answer, bare or as `result`, in any encoding, as a whole or not at all. The
 * answer carries no slot: pass the requested one; without it the slot after the parent's is
 * assumed.
 */
export function readBlock(answer: unknown, slot: Slot | null = null): Reading<ChainBlock> {
  return reading(() => {
    const block = objectOf(unwrapResult(answer), 'block');
    const parentSlot = slotOrNull(block.parentSlot, 'parentSlot');
    const ownSlot = slot ?? slotOrNull(block.slot, 'slot') ?? slotAfter(parentSlot);
    const records = arrayOf(block.transactions, 'transactions');
    const transactions: ChainTransaction[] = [];
    for (let at = 0; at < records.length; at++) {
      const transaction = readAt(records[at], at, ownSlot);
      if (transaction !== null) transactions.push(transaction);
    }
    return {
      slot: ownSlot,
      parentSlot,
      blockhash: textOrNull(block.blockhash, 'blockhash'),
      previousBlockhash: textOrNull(block.previousBlockhash, 'previousBlockhash'),
      blockTimeMs: blockTimeMsOf(block.blockTime),
      isWhole: isWhole(block, records.length),
      transactions,
      voteCount: records.length - transactions.length,
    };
  });
}

/** Reads a `getTransaction` answer, bare or as `result`, in any encoding. */
export function readTransaction(answer: unknown): Reading<LooseTransaction> {
  return reading(() => {
    const record = objectOf(unwrapResult(answer), 'transaction');
    const slot = slotOrNull(record.slot, 'slot');
    const txIndex = countOrNull(record.transactionIndex, 'transactionIndex');
    return {
      slot,
      blockTimeMs: blockTimeMsOf(record.blockTime),
      transaction: readTransactionRecord(record, { slot, txIndex }),
    };
  });
}

/** The `result` of a JSON-RPC answer, or the value itself. */
export function unwrapResult(answer: unknown): unknown {
  return isObject(answer) && answer.result !== undefined ? answer.result : answer;
}

function reading<T>(read: () => T): Reading<T> {
  try {
    return readingBytes(read);
  } catch (error) {
    if (error instanceof ImpreciseInteger) return { status: 'imprecise' };
    throw error;
  }
}

/** Turns a RecordRefusal into a value. */
export function readingBytes<T>(read: () => T): ByteReading<T> {
  try {
    return { status: 'ok', value: read() };
  } catch (error) {
    if (!(error instanceof RecordRefusal)) throw error;
    const { code, message } = error;
    return { status: 'refused', code, position: positionOf(error), message };
  }
}

function positionOf({ signature, txIndex }: RecordRefusal): string | null {
  const words = [];
  if (txIndex !== null) words.push(`transaction ${txIndex}`);
  if (signature !== null) words.push(`signature ${signature.slice(0, 88)}`);
  return words.length === 0 ? null : words.join(', ');
}

/** Uses the record's own index if present, as in some streams of selected transactions. */
function readAt(value: unknown, position: number, slot: number): ChainTransaction | null {
  try {
    const record = objectOf(value, 'transaction record');
    const own = countOrNull(record.transactionIndex, 'transactionIndex');
    return readTransactionRecord(record, { slot, txIndex: own ?? position });
  } catch (error) {
    if (error instanceof RecordRefusal) error.txIndex = position;
    throw error;
  }
}

function slotAfter(parentSlot: Slot | null): Slot {
  if (parentSlot !== null) return asSlot(parentSlot + 1);
  throw new RecordRefusal('no-slot', 'the block has neither a slot nor a parent slot');
}

/** Streams may omit transactions, and then give the number that were executed. */
function isWhole(block: JsonObject, records: number): boolean {
  const executed = countOrNull(block.executedTransactionCount, 'executedTransactionCount');
  return executed === null || executed === records;
}

function textOrNull(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  throw new RecordRefusal('bad-transaction', `${field} is not text`);
}

/** Largest time a Date can represent, in seconds. */
const TIME_MAX_S = 8_640_000_000_000;

function blockTimeMsOf(value: unknown): number | null {
  const seconds = isObject(value) ? value.timestamp : value;
  if (seconds === undefined || seconds === null) return null;
  const time = count(seconds, 'blockTime');
  if (time <= TIME_MAX_S) return time * 1_000;
  throw new RecordRefusal('bad-transaction', `blockTime ${time} is not a valid time`);
}

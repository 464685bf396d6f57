import { isObject, type JsonObject } from '../rpc-json/json-value.ts';
import { fromWeb3 } from './web3-message.ts';
import {
  fromYellowstoneBlock,
  fromYellowstoneTransaction,
  isYellowstoneTransaction,
} from './yellowstone-record.ts';

/** A block or a transaction in the shape of an RPC answer. */
export interface FoundRecord {
  readonly kind: 'block' | 'transaction';
  readonly value: JsonObject;
  /** Its path in the document, such as `[3].result`; empty for the document itself. */
  readonly path: string;
  /** A block in protobuf, of which `value` contains only the fields that locate it. */
  readonly confirmedBlock?: Uint8Array;
}

export interface FoundRecords {
  readonly records: readonly FoundRecord[];
  /** The error that an RPC node returned instead of a record. */
  readonly rpcError: string | null;
}

/**
 * Finds every block and transaction in a document: bare, in RPC answers and batches of them, in
 * notifications of block and transaction subscriptions, in Yellowstone updates, in arrays.
 */
export function findRecords(document: unknown): FoundRecords {
  const finder = new RecordFinder();
  finder.visit(document, NO_CONTEXT, '', 0);
  return { records: finder.records, rpcError: finder.rpcError };
}

/** Fields of a wrapper that apply to the records inside it. */
interface Context {
  readonly slot: unknown;
  readonly blockTime: unknown;
}

const NO_CONTEXT: Context = { slot: undefined, blockTime: undefined };
const DEPTH_MAX = 8;
/** Fields of wrappers that lead to records. */
const WRAPPERS = [
  'result',
  'params',
  'value',
  'block',
  'transaction',
  'transactions',
  'data',
  'response',
  'tx',
  'txs',
] as const;

class RecordFinder {
  readonly records: FoundRecord[] = [];
  rpcError: string | null = null;

  visit(value: unknown, context: Context, path: string, depth: number): void {
    if (Array.isArray(value)) {
      if (depth === DEPTH_MAX) return;
      for (let at = 0; at < value.length; at++) {
        this.visit(value[at], context, `${path}[${at}]`, depth + 1);
      }
    } else if (isObject(value)) this.visitObject(value, contextOf(value, context), path, depth);
  }

  private visitObject(value: JsonObject, context: Context, path: string, depth: number): void {
    if (isBlock(value)) this.addBlock(value, context, path);
    else if (isTransaction(value)) this.addTransaction(value, context, path);
    else if (depth < DEPTH_MAX) {
      if (isObject(value.error)) this.noteError(value.error);
      for (const field of WRAPPERS) {
        this.visit(value[field], context, path === '' ? field : `${path}.${field}`, depth + 1);
      }
    }
  }

  private addBlock(block: JsonObject, context: Context, path: string): void {
    const value = 'parentBlockhash' in block ? fromYellowstoneBlock(block) : block;
    this.records.push({ kind: 'block', path, value: { ...value, slot: context.slot } });
  }

  private addTransaction(record: JsonObject, context: Context, path: string): void {
    const value = isYellowstoneTransaction(record)
      ? fromYellowstoneTransaction(record)
      : fromWeb3(record);
    this.records.push({ kind: 'transaction', path, value: { ...value, ...context } });
  }

  private noteError({ code, message }: JsonObject): void {
    this.rpcError ??= `${String(message)} (RPC error ${String(code)})`;
  }
}

/** Subscriptions give the slot next to the record, in a `context` object. */
function contextOf(value: JsonObject, outer: Context): Context {
  const { slot, blockTime, context } = value;
  const ownSlot = slot ?? (isObject(context) ? context.slot : undefined);
  if (ownSlot === undefined && blockTime === undefined) return outer;
  return { slot: ownSlot ?? outer.slot, blockTime: blockTime ?? outer.blockTime };
}

function isBlock(value: JsonObject): boolean {
  const { transactions, blockhash, parentSlot } = value;
  return Array.isArray(transactions) && (blockhash !== undefined || parentSlot !== undefined);
}

function isTransaction(value: JsonObject): boolean {
  const { transaction } = value;
  if (!('meta' in value) && !('version' in value)) return false;
  if (isObject(transaction)) return 'message' in transaction;
  return typeof transaction === 'string' || Array.isArray(transaction);
}

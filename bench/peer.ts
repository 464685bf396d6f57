import { createRequire } from 'node:module';
import { decodeBase58, encodeBase58 } from '../src/lib/base58.ts';

/**
 * solana-dex-parser, the existing library for this task, with input as its documentation says:
 * transactions as @solana/web3.js objects.
 */
interface Web3 {
  VersionedTransaction: {
    deserialize(bytes: Uint8Array): {
      message: unknown;
      version: unknown;
      signatures: Uint8Array[];
    };
  };
}
interface PeerParser {
  parseTrades(transaction: unknown): unknown[];
}
interface Record {
  transaction: [string, string] | string;
  meta: unknown;
  version?: unknown;
}
interface Block {
  blockTime: number;
  parentSlot: number;
  transactions: Record[];
}

const require = createRequire(import.meta.url);
const requireOfPeer = createRequire(require.resolve('solana-dex-parser'));
const { DexParser } = require('solana-dex-parser') as { DexParser: new () => PeerParser };
const web3 = requireOfPeer('@solana/web3.js') as Web3;
const bs58 = requireOfPeer('bs58') as {
  decode(text: string): Uint8Array;
  encode(bytes: Uint8Array): string;
  default?: { decode(text: string): Uint8Array; encode(bytes: Uint8Array): string };
};
const base58 = bs58.default ?? bs58;
const parser = new DexParser();

/** JSON text of a getBlock answer → the peer's trades. Returns the number of transactions. */
export function runPeerEndToEnd(text: string): number {
  const { transactions, blockTime, parentSlot } = blockOf(text);
  let trades = 0;
  for (const record of transactions) {
    const taken = toPeerTransaction(record, parentSlot + 1, blockTime, OWN_BASE58);
    trades += parser.parseTrades(taken).length;
  }
  if (trades < 0) throw new Error('unreachable');
  return transactions.length;
}

/**
 * The same without unnecessary work: only the records at `positions` are decoded and parsed, and
 * base58 is the project's own, which is faster. Returns the number of transactions in the text.
 */
export function runPeerLikeForLike(text: string, positions: readonly number[]): number {
  const { transactions, blockTime, parentSlot } = blockOf(text);
  let trades = 0;
  for (const position of positions) {
    const record = transactions[position] as Record;
    const taken = toPeerTransaction(record, parentSlot + 1, blockTime, FAST_BASE58);
    trades += parser.parseTrades(taken).length;
  }
  if (trades < 0) throw new Error('unreachable');
  return transactions.length;
}

function blockOf(text: string): Block {
  const block = JSON.parse(text) as Block & { result?: Block };
  return block.result ?? block;
}

interface Base58 {
  decode(text: string): Uint8Array;
  encode(bytes: Uint8Array): string;
}

const OWN_BASE58: Base58 = base58;
const FAST_BASE58: Base58 = {
  decode(text) {
    const bytes = decodeBase58(text);
    if (bytes === null) throw new Error('not base58');
    return bytes;
  },
  encode: (bytes) => encodeBase58(bytes, 0, bytes.length),
};

function toPeerTransaction(
  record: Record,
  slot: number,
  blockTime: number,
  { decode, encode }: Base58,
): unknown {
  const [text, encoding] = Array.isArray(record.transaction)
    ? record.transaction
    : [record.transaction, 'base58'];
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : decode(text);
  const { message, version, signatures } = web3.VersionedTransaction.deserialize(bytes);
  return {
    slot,
    blockTime,
    version,
    meta: record.meta,
    transaction: { message, signatures: signatures.map((one) => encode(one)) },
  };
}

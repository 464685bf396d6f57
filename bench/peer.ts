import { createRequire } from 'node:module';

/**
 * solana-dex-parser, the library users would otherwise take, fed the way its documentation says:
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
  const block = JSON.parse(text) as Block & { result?: Block };
  const { transactions, blockTime, parentSlot } = block.result ?? block;
  let trades = 0;
  for (const record of transactions) {
    trades += parser.parseTrades(toPeerTransaction(record, parentSlot + 1, blockTime)).length;
  }
  if (trades < 0) throw new Error('unreachable');
  return transactions.length;
}

function toPeerTransaction(record: Record, slot: number, blockTime: number): unknown {
  const [text, encoding] = Array.isArray(record.transaction)
    ? record.transaction
    : [record.transaction, 'base58'];
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : base58.decode(text);
  const { message, version, signatures } = web3.VersionedTransaction.deserialize(bytes);
  return {
    slot,
    blockTime,
    version,
    meta: record.meta,
    transaction: { message, signatures: signatures.map((bytes) => base58.encode(bytes)) },
  };
}

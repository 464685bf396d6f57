import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OracleRecord } from './oracle.ts';
import { testData } from './test-data.ts';

/** A trade that a parser reports: raw amounts as decimal text. */
export interface ReportedTrade {
  readonly mintIn: string;
  readonly amountIn: string;
  readonly mintOut: string;
  readonly amountOut: string;
}

interface PeerToken {
  readonly mint?: string;
  readonly amountRaw?: string;
}
interface Peer {
  readonly web3: unknown;
  readonly peer: {
    readonly DexParser: new () => {
      parseTrades(
        transaction: unknown,
      ): readonly { readonly inputToken?: PeerToken; readonly outputToken?: PeerToken }[];
    };
  };
}
interface PeerAdapter {
  loadPeer(nodeModules: string): Peer;
  /** Converts a stored record of any encoding to the peer's input. */
  adapt(record: OracleRecord, web3: unknown): unknown;
}

/**
 * solana-dex-parser as its documentation describes its use, over records of any encoding: an
 * adapter stored with the oracle converts them into objects of web3.js. No trades where it throws.
 */
export async function loadPeerParser(): Promise<(record: OracleRecord) => ReportedTrade[]> {
  const path = resolve(testData, '../tools/peer-adapt.mjs');
  const adapter = (await import(pathToFileURL(path).href)) as PeerAdapter;
  const entry = createRequire(import.meta.url).resolve('solana-dex-parser');
  const nodeModules = entry.slice(0, entry.lastIndexOf('solana-dex-parser'));
  const { peer, web3 } = adapter.loadPeer(nodeModules);
  const parser = new peer.DexParser();
  return (record) => {
    try {
      return parser.parseTrades(adapter.adapt(record, web3)).map(({ inputToken, outputToken }) => ({
        mintIn: inputToken?.mint ?? '',
        amountIn: inputToken?.amountRaw ?? '',
        mintOut: outputToken?.mint ?? '',
        amountOut: outputToken?.amountRaw ?? '',
      }));
    } catch {
      return [];
    }
  };
}

import type { RawBlock } from '../recorded/raw-block.ts';
import type { BlockRequest } from '../rpc/nodes/block-fetcher.ts';
import type { RpcFailure } from '../rpc/nodes/rpc-failure.ts';
import type { Testimony } from '../rpc/nodes/testimony.ts';

/** Messages to a thread of the decode pool. */
export type ToDecodeThread =
  | { readonly kind: 'decode'; readonly raw: RawBlock }
  | { readonly kind: 'fetch'; readonly id: number; readonly request: BlockRequest }
  /** The answer is no longer needed. */
  | { readonly kind: 'stop'; readonly id: number };

/** A slot as the log stores it; null unless the content was exactly one complete block. */
export interface Decoded {
  readonly encodedFacts: string | null;
}

/** The result of a request to a node. */
export type BlockResult =
  | { readonly status: 'decoded'; readonly encodedFacts: string }
  | { readonly status: 'testified'; readonly testimony: Testimony }
  | { readonly status: 'unread'; readonly body: Uint8Array }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/** The answer to a request; `id` identifies the request. */
export type FetchedBlock = { readonly kind: 'fetched'; readonly id: number } & BlockResult;

/** Messages from a thread. Blocks are answered one by one in order, requests as they complete. */
export type FromDecodeThread = ({ readonly kind: 'decoded' } & Decoded) | FetchedBlock;

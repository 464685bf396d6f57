import type { RawBlock } from '../recorded/raw-block.ts';
import type { BlockQuestion } from '../rpc/nodes/block-fetcher.ts';
import type { RpcFailure } from '../rpc/nodes/rpc-failure.ts';
import type { Testimony } from '../rpc/nodes/testimony.ts';

/** What a thread of the decode pool is told. */
export type ToDecodeThread =
  | { readonly kind: 'decode'; readonly raw: RawBlock }
  | { readonly kind: 'ask'; readonly id: number; readonly question: BlockQuestion }
  /** Nobody waits for that answer any longer. */
  | { readonly kind: 'stop'; readonly id: number };

/** A slot as the log stores it; null for what is not one whole block. */
export interface Decoded {
  readonly encodedFacts: string | null;
}

/** What came of asking a node. */
export type AskedResult =
  | { readonly status: 'decoded'; readonly encodedFacts: string }
  | { readonly status: 'testified'; readonly testimony: Testimony }
  | { readonly status: 'unread'; readonly body: Uint8Array }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/** What came of a question; `id` is the question's. */
export type Asked = { readonly kind: 'asked'; readonly id: number } & AskedResult;

/** What a thread says. Blocks to decode are answered one by one and in order, questions as they come. */
export type FromDecodeThread = ({ readonly kind: 'decoded' } & Decoded) | Asked;

import type { SlotFacts } from '../../../model/slot-facts.ts';
import type { Slot } from '../../../model/units.ts';
import type { PostLimits, PostTarget } from './post-json.ts';
import type { RpcFailure } from './rpc-failure.ts';
import type { Testimony } from './testimony.ts';

/** A request for the block of a slot, as sent to another thread. */
export interface BlockRequest {
  readonly slot: Slot;
  /** The node's label. */
  readonly origin: string;
  readonly target: PostTarget;
  /** The JSON text to post. */
  readonly text: string;
  readonly limits: PostLimits;
  /** Whether to return the block's facts, or only the testimony for a comparison. */
  readonly wants: 'facts' | 'testimony';
}

export type BlockAnswer =
  | { readonly status: 'decoded'; readonly facts: SlotFacts }
  | { readonly status: 'testified'; readonly testimony: Testimony }
  /** Not exactly one complete block of its slot. The caller reads it again to find out why. */
  | { readonly status: 'unread'; readonly body: Buffer }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * Requests blocks from nodes and decodes the answers, both off the main thread, which never sees
 * their bytes.
 */
export interface BlockFetcher {
  /** Never rejects. Any number of calls may be in flight. */
  readonly fetch: (request: BlockRequest, signal: AbortSignal) => Promise<BlockAnswer>;
}

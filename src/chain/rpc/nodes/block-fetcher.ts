import type { SlotFacts } from '../../../model/slot-facts.ts';
import type { Slot } from '../../../model/units.ts';
import type { PostLimits, PostTarget } from './post-json.ts';
import type { RpcFailure } from './rpc-failure.ts';
import type { Testimony } from './testimony.ts';

/** A request for the block of a slot, as it goes to another thread. */
export interface BlockQuestion {
  readonly slot: Slot;
  /** The node's label. */
  readonly origin: string;
  readonly target: PostTarget;
  /** The JSON text to post. */
  readonly text: string;
  readonly limits: PostLimits;
  /** Whether the block itself is wanted, or only what it is compared by. */
  readonly wants: 'facts' | 'testimony';
}

export type BlockAnswer =
  | { readonly status: 'decoded'; readonly facts: SlotFacts }
  | { readonly status: 'testified'; readonly testimony: Testimony }
  /** Not one whole block of its slot: whoever reads it on the spot learns why. */
  | { readonly status: 'unread'; readonly body: Buffer }
  | { readonly status: 'failed'; readonly failure: RpcFailure };

/**
 * Asks nodes for blocks and decodes the answers, both off the main thread, which never sees their
 * bytes.
 */
export interface BlockFetcher {
  /** Never rejects. Any number may be under way. */
  readonly ask: (question: BlockQuestion, signal: AbortSignal) => Promise<BlockAnswer>;
}

import type { SourceProblem } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';
import type { BlockLink } from './block-link.ts';
import type { SourceItem } from './source.ts';
import type { BlockStreamStatus } from './source-status.ts';

/** A complete confirmed block with the link to its parent; parsed, or decoded ahead. */
export interface LinkedBlock extends BlockLink {
  readonly item: Extract<SourceItem, { readonly kind: 'block' | 'facts' }>;
}

export type StreamItem =
  | { readonly kind: 'block'; readonly block: LinkedBlock }
  /** The server's status of a slot. The slot's block may not have arrived. */
  | {
      readonly kind: 'slot';
      readonly slot: Slot;
      readonly parentSlot: Slot | null;
      readonly status: 'processed' | 'confirmed' | 'finalized' | 'dead';
    }
  /** The stream delivered part of the slot's block and will not deliver the rest. */
  | { readonly kind: 'incomplete'; readonly slot: Slot; readonly reason: string }
  | { readonly kind: 'problem'; readonly problem: SourceProblem }
  /** The connection is lost and will be re-established; a replay may deliver the missed blocks. */
  | {
      readonly kind: 'interrupted';
      readonly reason: string;
      readonly newestSlot: Slot | null;
      readonly willReplay: boolean;
    }
  /** The server refused this client before it sent anything. Nothing follows. */
  | { readonly kind: 'denied'; readonly reason: string };

/**
 * Blocks that a server pushes until the stream is ended. Some may be missing or out of order. The
 * next item is requested after the previous one has been processed.
 */
export interface BlockStream extends AsyncIterable<StreamItem> {
  readonly status: BlockStreamStatus;
}

/** What the consumer of a stream passes in. */
export interface StreamUse {
  /** The newest slot up to which the consumer has everything: replays begin there. */
  readonly resumeSlot: () => Slot | null;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

import type { SourceProblem } from '../model/errors.ts';
import type { Slot } from '../model/units.ts';
import type { BlockLink } from './block-link.ts';
import type { SourceItem } from './source.ts';
import type { BlockStreamStatus } from './source-status.ts';

/** A confirmed block, whole, with its place in the chain; read, or decoded on the way. */
export interface LinkedBlock extends BlockLink {
  readonly item: Extract<SourceItem, { readonly kind: 'block' | 'facts' }>;
}

export type StreamItem =
  | { readonly kind: 'block'; readonly block: LinkedBlock }
  /** What the server says of a slot. It names slots whose block may not have come. */
  | {
      readonly kind: 'slot';
      readonly slot: Slot;
      readonly parentSlot: Slot | null;
      readonly status: 'processed' | 'confirmed' | 'finalized' | 'dead';
    }
  /** The stream brought a part of the slot's block and will not bring the rest. */
  | { readonly kind: 'incomplete'; readonly slot: Slot; readonly reason: string }
  | { readonly kind: 'problem'; readonly problem: SourceProblem }
  /** The connection is lost and will be made again; a replay may bring what was missed meanwhile. */
  | {
      readonly kind: 'interrupted';
      readonly reason: string;
      readonly newestSlot: Slot | null;
      readonly willReplay: boolean;
    }
  /** The server refused this caller before it gave anything. Nothing follows. */
  | { readonly kind: 'denied'; readonly reason: string };

/**
 * Blocks that a server sends by itself, for as long as it takes. Some may lack and some come out of
 * order. An item is read when the one before it was used.
 */
export interface BlockStream extends AsyncIterable<StreamItem> {
  readonly status: BlockStreamStatus;
}

/** What whoever reads a stream gives it. */
export interface StreamUse {
  /** The newest slot up to which the reader has everything: replays begin there. */
  readonly resumeSlot: () => Slot | null;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

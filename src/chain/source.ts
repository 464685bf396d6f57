import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { ChainBlock } from '../model/transaction.ts';
import type { Slot } from '../model/units.ts';
import type { SourceStatus } from './source-status.ts';

/**
 * One step of the log. Ranges of slots include both ends.
 * - `block`, `facts`: a slot's transactions, or what a whole block of it was decoded to on the way.
 * - `undo`: everything after `toSlot` was on a branch that lost; the blocks of the other follow.
 * - `final`: everything up to `slot` stays.
 * - `missing`: slots that nobody could give. Their blocks may still come, late.
 * - `dropped`: final slots of which everything told so far was of a branch that lost, as a block that
 *   came late proves. Missing again, until they come or are called skipped.
 * - `skipped`: slots without a block, as a later block's parent proves.
 * - `problem`: a part of the input that could not be used.
 */
export type SourceItem =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'facts'; readonly facts: SlotFacts }
  | { readonly kind: 'undo'; readonly toSlot: Slot; readonly toBlockhash: string }
  | { readonly kind: 'final'; readonly slot: Slot }
  | { readonly kind: 'missing'; readonly from: Slot; readonly to: Slot; readonly reason: string }
  | { readonly kind: 'dropped'; readonly from: Slot; readonly to: Slot }
  | { readonly kind: 'skipped'; readonly from: Slot; readonly to: Slot }
  | { readonly kind: 'problem'; readonly problem: SourceProblem };

/**
 * What every source is: blocks in slot order, each slot once and each block whole or not at all.
 * Problems stand between them and never end the stream. Iterating again starts again.
 */
export interface Source extends AsyncIterable<SourceItem> {
  /**
   * True: a block that comes stays, as in a recording. False: it stays once a `final` says so, and
   * until then an `undo` may take it back.
   */
  readonly areBlocksFinal: boolean;
  /** The newest slot that the source knows the chain to have. Only sources that follow one have it. */
  readonly headSlot?: Slot | null;
  /** How chain, nodes and stream are. Only sources that follow a chain say it. */
  readonly status?: SourceStatus | null;
  /** What the source has yielded so far. */
  readonly summary: SourceSummary;
}

export interface SourceSummary {
  readonly blocks: number;
  readonly transactions: number;
  readonly votes: number;
  /** Records left out because the same transaction or block had been yielded. */
  readonly duplicates: number;
  readonly problems: number;
}

/** How far a source with a known end has come. */
export interface SourceProgress extends SourceSummary {
  /** Finding out which slots there are, then reading them in order. */
  readonly phase: 'indexing' | 'reading';
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

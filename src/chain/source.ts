import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { ChainBlock } from '../model/transaction.ts';
import type { Slot } from '../model/units.ts';
import type { SourceStatus } from './source-status.ts';

/**
 * One step of the log. Ranges of slots include both ends.
 * - `block`, `facts`: a slot's transactions, or the facts a whole block was already decoded to.
 * - `undo`: everything after `toSlot` was on a losing branch; the blocks of the other one follow.
 * - `final`: everything up to `slot` is permanent.
 * - `missing`: slots whose blocks no source could supply. They may still arrive, late.
 * - `dropped`: final slots for which everything emitted so far belongs to a losing branch, as a
 *   late block proves. They are missing again, until their blocks arrive or they are reported
 *   skipped.
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
 * The contract of every source: blocks in slot order, each slot once and each block as a whole or
 * not at all. Problems are emitted between them and never end the iteration. Iterating again starts
 * over.
 */
export interface Source extends AsyncIterable<SourceItem> {
  /**
   * True: an emitted block is permanent, as in a recording. False: it is permanent once a `final`
   * says so; until then an `undo` may revert it.
   */
  readonly areBlocksFinal: boolean;
  /** The newest slot known to the source. Only for sources that follow a chain. */
  readonly headSlot?: Slot | null;
  /** State of chain, nodes and stream. Only for sources that follow a chain. */
  readonly status?: SourceStatus | null;
  /** Counts of what the source has yielded so far. */
  readonly summary: SourceSummary;
}

export interface SourceSummary {
  readonly blocks: number;
  readonly transactions: number;
  readonly votes: number;
  /** Records left out because the same transaction or block was already yielded. */
  readonly duplicates: number;
  readonly problems: number;
}

/** Progress of a source with a known end. */
export interface SourceProgress extends SourceSummary {
  /** First the slots are found (`indexing`), then they are read in order. */
  readonly phase: 'indexing' | 'reading';
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

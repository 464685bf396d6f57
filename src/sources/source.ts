import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { ChainBlock } from '../model/transaction.ts';

/**
 * One step of the log: a slot's transactions, the facts of a whole block that was decoded on the
 * way, or a part of the input that could not be used.
 */
export type SourceItem =
  | { readonly kind: 'block'; readonly block: ChainBlock }
  | { readonly kind: 'facts'; readonly facts: SlotFacts }
  | { readonly kind: 'problem'; readonly problem: SourceProblem };

/**
 * What every source is: blocks in slot order, each slot once and each block whole or not at all.
 * Problems stand between them and never end the stream. Iterating again starts again.
 */
export interface Source extends AsyncIterable<SourceItem> {
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

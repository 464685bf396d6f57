import type { Slot } from '../model/units.ts';

/** How a node fares that blocks are asked of. */
export interface NodeStatus {
  /** Host, and never more of its address. */
  readonly label: string;
  /**
   * `left-alone`: many failures in a row; single requests probe it. `refuted`: what it told of a block
   * was lately shown to be wrong; it is asked last.
   */
  readonly state: 'well' | 'failing' | 'left-alone' | 'refuted' | 'behind' | 'other-cluster';
  /** Newest confirmed slot it told of, null before it did. */
  readonly tipSlot: number | null;
  readonly requests: number;
  /** Requests that wait for their answer. */
  readonly openRequests: number;
  /** Since the start, by name of the failure. */
  readonly failures: Readonly<Record<string, number>>;
  /** Blocks of which it told what was shown to be wrong, since the start. */
  readonly refutedBlocks: number;
}

/** What came of asking a second node for what a block holds. Counts are since the start. */
export interface ComparisonStatus {
  readonly mode: 'all' | 'sample' | 'off';
  /** Told alike by two. */
  readonly agreed: number;
  /** Told wrongly at first, and put right. */
  readonly corrected: number;
  /** Told differently, and nobody knows how it was: named missing. */
  readonly undecided: number;
  /** Believed on one word: nobody else could be asked, or the block was not of the sample. */
  readonly unverified: number;
  /** Not compared yet. */
  readonly waiting: number;
}

/** How a stream of blocks fares. Counts are since the start. */
export interface BlockStreamStatus {
  /** Host and port, and never more of its address. */
  readonly origin: string;
  /** Blocks have come since the last connection was made. */
  readonly isStreaming: boolean;
  readonly attempts: number;
  readonly interruptions: number;
  readonly blocks: number;
  /** Blocks that had been given before, as replays bring them. */
  readonly duplicates: number;
  /** Blocks of which only a part came. */
  readonly incomplete: number;
  /** Why the last connection ended, null while none has. */
  readonly lastEnd: string | null;
}

/** What a source that follows a chain knows of chain, nodes and stream. Plain data. */
export interface SourceStatus {
  readonly headSlot: Slot | null;
  readonly finalSlot: Slot | null;
  /** Newest confirmed slot that anybody told of. */
  readonly tipSlot: Slot | null;
  /** Null until it is decided. */
  readonly finality: string | null;
  /** Blocks that wait for one before them. */
  readonly pendingBlocks: number;
  /** Blocks that came again or too late to count. */
  readonly duplicates: number;
  readonly nodes: readonly NodeStatus[];
  /** Null where blocks are not compared at all. */
  readonly comparison: ComparisonStatus | null;
  /** Null where there is none. */
  readonly stream: BlockStreamStatus | null;
  /** Times since the start that nobody could be had blocks from. */
  readonly outages: number;
  /** Nobody can now. */
  readonly isOut: boolean;
}

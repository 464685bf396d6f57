import type { Slot } from '../model/units.ts';

/** The state of an RPC node. */
export interface NodeStatus {
  /** The host, without the rest of the address. */
  readonly label: string;
  /**
   * `left-alone`: many consecutive failures; single requests probe it. `refuted`: one of its blocks
   * was recently shown to be wrong; it is used last.
   */
  readonly state: 'well' | 'failing' | 'left-alone' | 'refuted' | 'behind' | 'other-cluster';
  /** Newest confirmed slot it reported, null before that. */
  readonly tipSlot: number | null;
  readonly requests: number;
  /** Requests in flight. */
  readonly openRequests: number;
  /** Since the start, by name of the failure. */
  readonly failures: Readonly<Record<string, number>>;
  /** Blocks it returned that were shown to be wrong, since the start. */
  readonly refutedBlocks: number;
}

/** Results of comparing blocks with a second node. Counts are since the start. */
export interface ComparisonStatus {
  readonly mode: 'all' | 'sample' | 'off';
  /** Two emitters agreed. */
  readonly agreed: number;
  /** The first version was wrong and was replaced. */
  readonly corrected: number;
  /** Versions differed and nothing decided between them: reported missing. */
  readonly undecided: number;
  /** Accepted unverified: no other node was available, or the block was not in the sample. */
  readonly unverified: number;
  /** Not compared yet. */
  readonly waiting: number;
}

/** The state of a block stream. Counts are since the start. */
export interface BlockStreamStatus {
  /** Host and port, without the rest of the address. */
  readonly origin: string;
  /** Blocks have arrived on the current connection. */
  readonly isStreaming: boolean;
  readonly attempts: number;
  readonly interruptions: number;
  readonly blocks: number;
  /** Blocks that had arrived before, as in replays. */
  readonly duplicates: number;
  /** Blocks that arrived only in part. */
  readonly incomplete: number;
  /** Why the last connection ended, null while none has. */
  readonly lastEnd: string | null;
}

/** The state of a source that follows a chain: chain, nodes and stream. Plain data. */
export interface SourceStatus {
  readonly headSlot: Slot | null;
  readonly finalSlot: Slot | null;
  /** Newest confirmed slot that any node or stream reported. */
  readonly tipSlot: Slot | null;
  /** Null until it is decided. */
  readonly finality: string | null;
  /** Blocks that wait for a parent. */
  readonly pendingBlocks: number;
  /** Blocks that arrived again or too late. */
  readonly duplicates: number;
  readonly nodes: readonly NodeStatus[];
  /** Null where blocks are not compared. */
  readonly comparison: ComparisonStatus | null;
  /** Null without a stream. */
  readonly stream: BlockStreamStatus | null;
  /** Number of times since the start that no source delivered blocks. */
  readonly outages: number;
  /** No source delivers blocks now. */
  readonly isOut: boolean;
}

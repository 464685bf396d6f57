import type { Slot } from '../model/units.ts';

/** How a node fares that blocks are asked of. */
export interface NodeStatus {
  /** Host, and never more of its address. */
  readonly label: string;
  /** `left-alone`: many failures in a row; single requests probe it. */
  readonly state: 'well' | 'failing' | 'left-alone' | 'behind' | 'other-cluster';
  /** Newest confirmed slot it told of, null before it did. */
  readonly tipSlot: number | null;
  readonly requests: number;
  /** Requests that wait for their answer. */
  readonly openRequests: number;
  /** Since the start, by name of the failure. */
  readonly failures: Readonly<Record<string, number>>;
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
  readonly heldBlocks: number;
  /** Blocks that came again or too late to count. */
  readonly duplicates: number;
  readonly nodes: readonly NodeStatus[];
  /** Null where there is none. */
  readonly stream: BlockStreamStatus | null;
}

/** The stream through which replicas share off-chain data: what it does to a store. */

/** How far a store has followed the stream. */
export interface OffchainPosition {
  /** Of the stream that filled the store; null before the first message. */
  readonly logId: string | null;
  /** What the store had before any message: empty text for nothing, else an identifier of it. */
  readonly base: string;
  /** Sequence of the last stored message; 0 before the first. */
  readonly seq: number;
  /** Sequence of the last claim; null before the first. */
  readonly claim: number | null;
  /** Replica that made it. */
  readonly gatherer: string | null;
}

/** What a message means for a store. */
export type OffchainEffect =
  /** A gatherer begins: changes of earlier ones no longer count. */
  | {
      readonly kind: 'claim';
      readonly logId: string;
      readonly gatherer: string;
      readonly isOwn: boolean;
    }
  /** A transaction of the gatherer, as a changeset of SQLite. */
  | { readonly kind: 'changes'; readonly changes: Uint8Array }
  /** Posts that clients sent to a replica, as a changeset of SQLite. */
  | { readonly kind: 'posts'; readonly changes: Uint8Array };

/** A transaction that a store wants in the stream before it commits it. */
export interface OffchainAppend {
  readonly kind: 'changes' | 'posts';
  /** Sequence of the last message that is stored. */
  readonly afterSeq: number;
  readonly changes: Uint8Array;
}

/**
 * - `refused`: another message came first, or this process no longer gathers.
 * - `unavailable`: the servers did not acknowledge it, so that it may be in the stream or not.
 * - `too-long`: no stream takes a transaction of this size.
 */
export type OffchainAppended =
  | { readonly kind: 'appended'; readonly seq: number }
  | { readonly kind: 'refused' | 'unavailable' | 'too-long' };

/** How a replica shares off-chain data with others. */
export interface OffchainSharing {
  /** Whether this replica is the one that gathers. */
  readonly isGathering: boolean;
  /** Replica that gathers, by the last claim that was read; null before the first. */
  readonly gatherer: string | null;
  /** Sequence of that claim, higher for each tenure of a gatherer; null before the first. */
  readonly epoch: number | null;
  /** Messages of the stream that are not stored here; null while its end is unknown. */
  readonly messagesBehind: number | null;
  /** Last message that was read, and the last of which everything is stored. */
  readonly receivedSeq: number;
  readonly storedSeq: number;
  /** Why nothing more is stored; null while it is. */
  readonly stopped: string | null;
}

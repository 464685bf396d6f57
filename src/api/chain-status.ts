import type { Awaitable } from '../lib/awaitable.ts';
import type { OffchainSharing } from '../model/offchain-stream.ts';
import type { ReplicaAgreement } from '../model/replica-agreement.ts';
import type { OutcomeCounts } from '../model/slot-facts.ts';
import type { AnswerRange, SlotGap } from '../model/slot-range.ts';
import type { StateDigest } from '../model/state-digest.ts';
import type { StateStatus } from '../model/state-status.ts';
import type { Address, Slot } from '../model/units.ts';

/** State of chain ingestion: how far the chain is known, and whether it is being followed. */
export interface ChainStatus {
  /** Slot and completeness of a response made now; `range` is the history the response covers. */
  freshness(range?: AnswerRange): Freshness;
  /**
   * Milliseconds since the newest slot arrived, by a monotonic clock; null before the first slot.
   */
  sinceSlotMs(): number | null;
  readiness(): Promise<Readiness>;
  /** Null while chain data is stored and followed normally, and where no chain is followed. */
  standstill(): Standstill | null;
  coverage(): Awaitable<Coverage>;
}

/** Which part of the chain is stored, and how much of it the decoders understood. */
export interface Coverage {
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
  /** Slots up to this one cannot be reverted. */
  readonly finalSlot: Slot | null;
  /** Decoded slots before it were dropped; figures computed from them stay. Null: none. */
  readonly logStart: Slot | null;
  readonly slots: number;
  /** Slots proven to have no block. */
  readonly skippedSlots: number;
  /** Slots that no source could provide, ascending. */
  readonly gaps: readonly SlotGap[];
  /** Slots whose parent is not the preceding stored slot, or that are incomplete. */
  readonly unlinkedSlots: number;
  /** Without vote transactions. */
  readonly transactions: number;
  /**
   * Transactions that moved tokens in both directions like a swap, and those of them that decoded
   * events explain completely.
   */
  readonly poolMovingTransactions: number;
  readonly explainedTransactions: number;
  readonly swaps: number;
  /** Swaps of programs without a decoder, inferred from transfers alone. Included in `swaps`. */
  readonly inferredSwaps: number;
  /** Inferred swaps by program, for programs counted individually; unordered. */
  readonly inferredPrograms: readonly InferredProgram[];
  readonly programs: OutcomeCounts;
  /** The state after `lastSlot` or a slot shortly before; null before the first slot. */
  readonly state: StateDigest | null;
  /** Digests of earlier slots, newest first: those of checkpoints and those that were asked for. */
  readonly digests: readonly StateDigest[];
  /** Where the state is; null if it is in memory alone. */
  readonly stateStatus: StateStatus | null;
  /** How the state compares with those of other replicas; null for a single process. */
  readonly agreement: ReplicaAgreement | null;
  /** Who gathers off-chain data for all replicas; null for a process that shares none. */
  readonly gathering: OffchainSharing | null;
  /** Chain time of `lastSlot` in milliseconds, 0 before the first block time. */
  readonly timeMs: number;
}

/** A program without a decoder, and the number of swaps inferred from its transfers. */
export interface InferredProgram {
  readonly program: Address;
  readonly swaps: number;
}

/** The slot as of which a response is accurate. */
export interface Freshness {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot. */
  readonly timeMs: number | null;
  /**
   * False when a known gap overlaps the history the response covers, and always false while chain
   * data is not being stored or followed.
   */
  readonly isComplete: boolean;
}

/** A period in which chain data is not stored or no longer followed. */
export interface Standstill {
  /** True if it does not end by itself, and a restart may end it. */
  readonly isLasting: boolean;
  /**
   * Most replicas have another state, or had one and have not agreed since: nothing is answered from
   * this one.
   */
  readonly isContradicted?: boolean;
}

/** Whether the service can accept requests. */
export interface Readiness {
  readonly isReady: boolean;
  /** Each check by name, with a description of its result. */
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

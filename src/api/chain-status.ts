import type { Awaitable } from '../lib/awaitable.ts';
import type { OutcomeCounts } from '../model/slot-facts.ts';
import type { AnswerRange, SlotGap } from '../model/slot-range.ts';
import type { Address, Slot } from '../model/units.ts';

/** How far the chain is known here, and whether it is followed. */
export interface ChainStatus {
  /** What an answer of this moment is true as of; `range` is the history it speaks of. */
  freshness(range?: AnswerRange): Freshness;
  /** Since the newest slot came here, by a clock that nobody sets; null before any. */
  sinceSlotMs(): number | null;
  readiness(): Promise<Readiness>;
  /** Null while what comes of the chain is stored and followed, and where none is followed. */
  standstill(): Standstill | null;
  coverage(): Awaitable<Coverage>;
}

/** What of the chain is held, and how much of it the decoders understood. */
export interface Coverage {
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
  /** Up to here nothing is taken back. */
  readonly finalSlot: Slot | null;
  readonly slots: number;
  /** Slots that the chain proves to have no block. */
  readonly skippedSlots: number;
  /** Slots that nobody could give, ascending. */
  readonly gaps: readonly SlotGap[];
  /** Slots that do not follow the slot held before them, or are not whole. */
  readonly unlinkedSlots: number;
  /** Without votes. */
  readonly transactions: number;
  /** Transactions in which tokens crossed as in a swap, and those that events explain whole. */
  readonly poolMovingTransactions: number;
  readonly explainedTransactions: number;
  readonly swaps: number;
  /** Swaps of programs without a decoder, by their transfers alone: part of `swaps`. */
  readonly inferredSwaps: number;
  /** Those of them whose program is counted by name, in no order. */
  readonly inferredPrograms: readonly InferredProgram[];
  readonly programs: OutcomeCounts;
}

/** A program without a decoder, and how many swaps its transfers tell of. */
export interface InferredProgram {
  readonly program: Address;
  readonly swaps: number;
}

/** What an answer is true as of. */
export interface Freshness {
  /** Null before the first slot. */
  readonly slot: Slot | null;
  /** Block time of that slot. */
  readonly timeMs: number | null;
  /**
   * False when a known gap touches the history that the answer speaks of, and of every answer while
   * what comes of the chain is not stored or not followed.
   */
  readonly isComplete: boolean;
}

/** A time in which what comes of the chain is not stored, or not followed any longer. */
export interface Standstill {
  /** It does not end by itself. */
  readonly isLasting: boolean;
}

/** Whether the service can be given work. */
export interface Readiness {
  readonly isReady: boolean;
  /** Each check by name: what was found, in words. */
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

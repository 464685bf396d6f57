import type { AccountObservation } from './account-observation.ts';
import type { ExactBundle } from './bundle-oracle.ts';
import type { ChainEvent } from './chain-event.ts';
import type { ProgramName } from './program.ts';
import type { Terminal } from './terminal-accounts.ts';
import type { Address, Lamports, RawAmount, Signature, Slot } from './units.ts';

/**
 * What the decoders derive from one transaction: the `Tx` event and the events of its instructions.
 */
export interface TransactionFacts {
  readonly signature: Signature;
  /** Position in the block; for loose transactions the rank by signature within the slot. */
  readonly txIndex: number;
  /** False when `txIndex` is only a rank: such transactions have no known neighbours. */
  readonly isIndexKnown: boolean;
  readonly feePayer: Address;
  /** The fee payer first. */
  readonly signers: readonly Address[];
  /** The runtime's error (JSON text), null for success. Failed transactions carry no events. */
  readonly error: string | null;
  readonly feeLamports: Lamports;
  readonly computeUnitLimit: number | null;
  /** Null for v1 transactions: they state a total instead of a price per unit. */
  readonly computeUnitPriceMicroLamports: bigint | null;
  readonly computeUnitsUsed: number | null;
  readonly tips: readonly Tip[];
  /** Outer programs, each once, in order. */
  readonly programIds: readonly Address[];
  readonly usesLookupTables: boolean;
  /** Token accounts whose balance or existence changed. */
  readonly tokenBalances: readonly TokenBalanceChange[];
  readonly events: readonly ChainEvent[];
  /**
   * Priority fee that a v1 transaction offers on top of the base fee. Other versions state a price
   * per unit.
   */
  readonly priorityFeeLamports?: Lamports;
  /**
   * The trading terminal it was sent through, recognised by its program or a fee; null when none is
   * known.
   */
  readonly terminal: Terminal | null;
}

export interface Tip {
  readonly lamports: Lamports;
  readonly to: Address;
  /** 'jito' means a bundle; any other landing service means only faster landing. */
  readonly provider: 'jito' | 'other';
}

export interface TokenBalanceChange {
  readonly account: Address;
  readonly owner: Address | null;
  readonly mint: Address;
  readonly decimals: number;
  readonly before: RawAmount;
  readonly after: RawAmount;
}

/** One decoded slot: the entry of the canonical log that the engine folds and the store keeps. */
export interface SlotFacts {
  readonly slot: Slot;
  readonly parentSlot: Slot | null;
  readonly blockhash: string | null;
  readonly previousBlockhash: string | null;
  readonly blockTimeMs: number | null;
  readonly isWhole: boolean;
  /**
   * Version of the decoders that read the slot; a later version may decode more of the same record.
   */
  readonly decoderVersion: number;
  readonly voteCount: number;
  /** Non-vote transactions by txIndex, failed ones included. */
  readonly transactions: readonly TransactionFacts[];
  readonly outcomes: OutcomeCounts;
  /**
   * Transactions that moved tokens through a pool, and those of them that events explain
   * completely.
   */
  readonly poolMovingCount: number;
  readonly explainedCount: number;
  readonly problems: readonly DecodeProblem[];
  /**
   * Accounts read separately from the blocks, as of the end of this slot or earlier, in the order
   * of `compareObservations`. They are applied after the slot's transactions. Absent when there are
   * none.
   */
  readonly observations?: readonly AccountObservation[];
  /**
   * Exact bundles of this slot's transactions from an external source; no transaction is in two of
   * them. Absent when there are none or they are unknown.
   */
  readonly exactBundles?: readonly ExactBundle[];
}

/** Results of decoding the instructions of one program. `event` counts instructions, not events. */
export interface ProgramOutcomes {
  event: number;
  ignored: number;
  unknown: number;
  malformed: number;
  /** Swaps whose legs contradict the vaults. */
  quarantined: number;
}

export type OutcomeCounts = Readonly<Partial<Record<ProgramName, ProgramOutcomes>>>;

/**
 * `unexplained`: tokens were exchanged below an instruction as in a swap, but no event accounts for
 * it. `failed`: the instruction or transaction could not be read at all.
 */
export type DecodeProblemKind = 'unknown' | 'malformed' | 'quarantined' | 'unexplained' | 'failed';

/** Something in a transaction that is inconsistent or could not be decoded. */
export interface DecodeProblem {
  readonly signature: Signature;
  readonly outerIx: number;
  readonly innerIx: number;
  /** Null when it concerns the transaction as a whole. */
  readonly program: ProgramName | null;
  readonly problem: DecodeProblemKind;
  readonly reason: string;
}

import type { AccountKeys } from './account-keys.ts';
import type { Instruction } from './instruction.ts';
import type { Address, Signature, Slot } from './units.ts';

/** A token account's balance before and after one transaction, in raw units. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  /** Null in records older than owner reporting. */
  readonly owner: Address | null;
  readonly tokenProgram: Address | null;
  readonly decimals: number;
  /** 0 when the account did not exist. */
  readonly before: bigint;
  /** 0 when the account was closed. */
  readonly after: bigint;
}

/**
 * Runtime settings in the header of a v1 transaction (SIMD-0385); other versions call the compute
 * budget program instead. Null for a setting that is not given; the runtime then grants none of it.
 */
export interface TransactionConfig {
  /** For the whole transaction, not per compute unit. */
  readonly priorityFeeLamports: bigint | null;
  readonly computeUnitLimit: number | null;
}

/**
 * One non-vote transaction in the common form that every source yields, whatever its encoding.
 * Immutable; it is the only input of the decoders.
 */
export interface ChainTransaction {
  readonly signature: Signature;
  /** Position in the block; null when the record does not show it. */
  readonly txIndex: number | null;
  readonly version: 'legacy' | 0 | 1;
  /** Null for versions before v1, and when the record does not contain it. */
  readonly config: TransactionConfig | null;
  /** The runtime's error, unmodified (JSON text); null for a transaction that succeeded. */
  readonly error: string | null;
  readonly feeLamports: bigint;
  readonly computeUnitsUsed: number | null;
  readonly keys: AccountKeys;
  /** The first `signerCount` keys signed; the first of them paid the fee. */
  readonly signerCount: number;
  readonly usesLookupTables: boolean;
  /** Outer instructions in order, each followed by its inner ones: execution order. */
  readonly instructions: readonly Instruction[];
  /** Lamports of every account, by key index. */
  readonly lamportsBefore: readonly bigint[];
  readonly lamportsAfter: readonly bigint[];
  readonly tokenBalances: readonly TokenBalance[];
  readonly logMessages: readonly string[];
}

/** The data a source yields for one slot. */
export interface ChainBlock {
  readonly slot: Slot;
  /** Null for loose transactions delivered without their block. */
  readonly parentSlot: Slot | null;
  readonly blockhash: string | null;
  readonly previousBlockhash: string | null;
  /** Milliseconds since 1970, null when the chain recorded none. */
  readonly blockTimeMs: number | null;
  /** True when the record is the whole block, false for loose transactions of the slot. */
  readonly isWhole: boolean;
  /** Non-vote transactions in block order, failed ones included. */
  readonly transactions: readonly ChainTransaction[];
  /** Number of vote transactions, which are skipped. */
  readonly voteCount: number;
}

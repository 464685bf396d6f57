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
 * What a v1 transaction asks of the runtime in its own head (SIMD-0385), where others call the
 * compute budget program. Null for what it does not ask for; then the runtime grants it nothing.
 */
export interface TransactionConfig {
  /** For the whole transaction, not by compute unit. */
  readonly priorityFeeLamports: bigint | null;
  readonly computeUnitLimit: number | null;
}

/**
 * One non-vote transaction in the shape every source yields, whatever its encoding was.
 * Immutable; the decoders read it and nothing else.
 */
export interface ChainTransaction {
  readonly signature: Signature;
  /** Position in the block, null when the record does not tell. */
  readonly txIndex: number | null;
  readonly version: 'legacy' | 0 | 1;
  /** Null for versions before v1, and where the record does not tell it. */
  readonly config: TransactionConfig | null;
  /** The runtime's error as it came (JSON text), null for a transaction that succeeded. */
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

/** What a source yields for one slot. */
export interface ChainBlock {
  readonly slot: Slot;
  /** Null for loose transactions that came without their block. */
  readonly parentSlot: Slot | null;
  readonly blockhash: string | null;
  readonly previousBlockhash: string | null;
  /** Milliseconds since 1970, null when the chain recorded none. */
  readonly blockTimeMs: number | null;
  /** True when the record is the whole block, false for loose transactions of the slot. */
  readonly isWhole: boolean;
  /** Non-vote transactions in block order, failed ones included. */
  readonly transactions: readonly ChainTransaction[];
  /** Vote transactions, counted and skipped. */
  readonly voteCount: number;
}

import type { Address, Signature } from '../../src/model/units.ts';
import type { MarketFact } from './market-fact.ts';

/** An instruction with its accounts as indexes into the transaction's keys. */
export interface CompiledInstruction {
  readonly outerIx: number;
  readonly innerIx: number;
  readonly stackHeight: number;
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

export interface MessageHeader {
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
}

/** Keys a v0 message loads from a table, as indexes into the table. */
export interface TableLookup {
  readonly table: Address;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

export interface SimulatedTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** Null if the account did not exist. */
  readonly beforeRaw: bigint | null;
  readonly afterRaw: bigint | null;
}

/** The runtime's error of a failed transaction. */
export type SimulatedError =
  | { readonly InstructionError: readonly [number, { readonly Custom: number }] }
  | { readonly InsufficientFundsForFee: null };

/** A transaction that landed, with all data a node returns about it. */
export interface SimulatedTransaction {
  /** The first identifies the transaction. */
  readonly signatures: readonly Signature[];
  readonly version: 'legacy' | 0;
  readonly isVote: boolean;
  readonly header: MessageHeader;
  readonly staticKeys: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly lookups: readonly TableLookup[];
  readonly recentBlockhash: string;
  /** Execution order: each outer instruction followed by its inner ones. */
  readonly instructions: readonly CompiledInstruction[];
  readonly error: SimulatedError | null;
  readonly feeLamports: bigint;
  readonly computeUnitsUsed: number;
  /** By key: static, loaded for writing, loaded for reading. */
  readonly lamportsBefore: readonly bigint[];
  readonly lamportsAfter: readonly bigint[];
  readonly tokenBalances: readonly SimulatedTokenBalance[];
  readonly logs: readonly string[];
  /** The ground truth, which no node returns. Empty for a failed transaction. */
  readonly facts: readonly MarketFact[];
}

/** A block of the simulated chain. */
export interface SimulatedBlock {
  readonly slot: number;
  readonly parentSlot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Seconds since 1970. */
  readonly blockTime: number;
  readonly leader: Address;
  readonly transactions: readonly SimulatedTransaction[];
}

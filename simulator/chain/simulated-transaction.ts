import type { Address, Signature } from '../../src/model/units.ts';
import type { MarketFact } from './market-fact.ts';

/** An instruction with its accounts as positions in the transaction's keys. */
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

/** Keys a v0 message loads from a table: positions in the table. */
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
  /** Null when the account did not exist. */
  readonly beforeRaw: bigint | null;
  readonly afterRaw: bigint | null;
}

/** The runtime's verdict on a failed transaction. */
export type SimulatedError =
  | { readonly InstructionError: readonly [number, { readonly Custom: number }] }
  | { readonly InsufficientFundsForFee: null };

/** A transaction that landed, with everything a node tells of it. */
export interface SimulatedTransaction {
  /** The first is the transaction's. */
  readonly signatures: readonly Signature[];
  readonly version: 'legacy' | 0;
  readonly isVote: boolean;
  readonly header: MessageHeader;
  readonly staticKeys: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly lookups: readonly TableLookup[];
  readonly recentBlockhash: string;
  /** Execution order: each outer instruction followed by those below it. */
  readonly instructions: readonly CompiledInstruction[];
  readonly error: SimulatedError | null;
  readonly feeLamports: bigint;
  readonly computeUnitsUsed: number;
  /** By key: static, loaded for writing, loaded for reading. */
  readonly lamportsBefore: readonly bigint[];
  readonly lamportsAfter: readonly bigint[];
  readonly tokenBalances: readonly SimulatedTokenBalance[];
  readonly logs: readonly string[];
  /** The truth about it; no node tells this. Empty for a failed one. */
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

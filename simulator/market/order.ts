import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { ComputeBudget } from '../chain/run-transaction.ts';

/** A transaction to be sent to the network. */
export interface Order {
  readonly feePayer: Address;
  /** Additional signers, in any order. */
  readonly signers?: readonly Address[];
  readonly computeBudget?: ComputeBudget | null;
  /** Default legacy. */
  readonly version?: 'legacy' | 0;
  /**
   * Orders with a higher priority come earlier in the block. Default 0; roughly the lamports paid
   * for priority.
   */
  readonly priority?: number;
  readonly build: (execution: Execution) => void;
  /** Called once, when it is in a canonical block, failed or not. */
  readonly onLanded?: (landing: Landing) => void;
  /** Called once, when it expired or its payer had no lamports. */
  readonly onDropped?: () => void;
}

/**
 * The data about a transaction that senders may keep; the transaction itself belongs to its block.
 */
export interface Landing {
  readonly signature: string;
  readonly facts: readonly MarketFact[];
  readonly slot: number;
  /** Index in the block. */
  readonly txIndex: number;
  readonly isFailed: boolean;
}

/** Identifies a sent order, for placing others directly after it. */
export interface SentOrder {
  readonly id: number;
}

export interface Placement {
  /** Place directly after this one if it is in the same block, regardless of priorities. */
  readonly behind?: SentOrder;
}

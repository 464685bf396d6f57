import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { ComputeBudget } from '../chain/run-transaction.ts';

/** A transaction somebody sends to the network. */
export interface Order {
  readonly feePayer: Address;
  /** Others who sign, in any order. */
  readonly signers?: readonly Address[];
  readonly computeBudget?: ComputeBudget | null;
  /** Default legacy. */
  readonly version?: 'legacy' | 0;
  /** Orders of more urgency stand earlier in the block. Default 0; about lamports paid for speed. */
  readonly priority?: number;
  readonly build: (execution: Execution) => void;
  /** Called once, when it stands in a block that stays, failed or not. */
  readonly onLanded?: (landing: Landing) => void;
  /** Called once, when it found no place in time or its payer had no lamports. */
  readonly onDropped?: () => void;
}

/** What a sender keeps of a transaction, however long: the transaction itself is the block's. */
export interface Landing {
  readonly signature: string;
  readonly facts: readonly MarketFact[];
  readonly slot: number;
  /** Position in the block. */
  readonly txIndex: number;
  readonly isFailed: boolean;
}

/** Names an order that was sent, so that others can be placed behind it. */
export interface SentOrder {
  readonly id: number;
}

export interface Placement {
  /** Stand directly behind this one if it is in the same block, whatever the priorities. */
  readonly behind?: SentOrder;
}

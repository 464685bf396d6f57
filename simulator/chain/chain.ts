import type { Address } from '../../src/model/units.ts';
import type { LookupTable } from './compile-message.ts';
import type { ChainClock } from './execution.ts';
import type { Keyring } from './keyring.ts';
import { type Journal, Ledger } from './ledger.ts';
import {
  type LandedTransaction,
  runTransaction,
  type TransactionRequest,
} from './run-transaction.ts';
import type { SimulatedBlock, SimulatedTransaction } from './simulated-transaction.ts';

/** A block as it is being made, and what its transactions changed. */
export interface ProducedBlock {
  readonly block: SimulatedBlock;
  /** What became of each group, in the order given; null for one that no block takes. */
  readonly landings: readonly (readonly SimulatedTransaction[] | null)[];
  readonly journals: readonly Journal[];
}

export interface BlockPlan extends ChainClock {
  readonly leader: Address;
  /**
   * Transactions that stand side by side. One alone may fail and keeps its place; of several, none
   * stands in the block unless all succeed.
   */
  readonly groups: readonly (readonly TransactionRequest[])[];
}

/**
 * The chain: accounts, and the block they stand at. Blocks of the newest branch can be taken back
 * one by one; the next block then has the parent they had.
 */
export class Chain {
  readonly ledger = new Ledger();
  readonly keyring: Keyring;
  readonly tables: readonly LookupTable[];
  private readonly blockhashes: Keyring;
  private tip: Pick<SimulatedBlock, 'slot' | 'blockHeight' | 'blockhash'>;

  constructor(
    keyring: Keyring,
    blockhashes: Keyring,
    firstSlot: number,
    tables: readonly LookupTable[],
  ) {
    this.keyring = keyring;
    this.blockhashes = blockhashes;
    this.tables = tables;
    this.tip = {
      slot: firstSlot - 1,
      blockHeight: firstSlot - 1,
      blockhash: blockhashes.blockhash(),
    };
  }

  /** Slot of the newest block; before the first one the slot before it. */
  get slot(): number {
    return this.tip.slot;
  }

  /** Hash of the newest block: what a wallet puts into its next transaction. */
  get blockhash(): string {
    return this.tip.blockhash;
  }

  produce({ slot, unixTime, leader, groups }: BlockPlan): ProducedBlock {
    const landings: (readonly SimulatedTransaction[] | null)[] = [];
    const journals: Journal[] = [];
    for (const group of groups) {
      const landed = this.runGroup({ slot, unixTime }, group);
      landings.push(landed?.map(({ transaction }) => transaction) ?? null);
      for (const { journal } of landed ?? []) journals.push(journal);
    }
    const block: SimulatedBlock = {
      slot,
      parentSlot: this.tip.slot,
      blockHeight: this.tip.blockHeight + 1,
      blockhash: this.blockhashes.blockhash(),
      previousBlockhash: this.tip.blockhash,
      blockTime: unixTime,
      leader,
      transactions: landings.flatMap((landing) => landing ?? []),
    };
    this.tip = block;
    return { block, landings, journals };
  }

  /** Null when the group leaves no trace: a payer cannot pay, or one of several failed. */
  private runGroup(
    clock: ChainClock,
    group: readonly TransactionRequest[],
  ): LandedTransaction[] | null {
    const landed: LandedTransaction[] = [];
    for (const request of group) {
      const landing = runTransaction(this.ledger, clock, request);
      if (landing !== null) landed.push(landing);
      if (landing === null || (group.length > 1 && landing.transaction.error !== null)) {
        for (const { journal } of landed.toReversed()) this.ledger.undo(journal);
        return null;
      }
    }
    return landed;
  }

  /** Takes the newest block back. Throws RangeError for another one. */
  takeBack({ block, journals }: ProducedBlock): void {
    if (block.blockhash !== this.tip.blockhash) {
      throw new RangeError(`slot ${block.slot} is not the newest block`);
    }
    for (const journal of journals.toReversed()) this.ledger.undo(journal);
    this.tip = {
      slot: block.parentSlot,
      blockHeight: block.blockHeight - 1,
      blockhash: block.previousBlockhash,
    };
  }
}

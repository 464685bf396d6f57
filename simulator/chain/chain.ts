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

/** A block during production, and the changes of its transactions. */
export interface ProducedBlock {
  readonly block: SimulatedBlock;
  /** The outcome of each group, in the given order; null for a group that is not included. */
  readonly landings: readonly (readonly SimulatedTransaction[] | null)[];
  readonly journals: readonly Journal[];
}

export interface BlockPlan extends ChainClock {
  readonly leader: Address;
  /**
   * Groups of consecutive transactions. A single transaction may fail and is still included; of
   * several, none is included unless all succeed.
   */
  readonly groups: readonly (readonly TransactionRequest[])[];
}

/**
 * The chain: its accounts as of the newest block. Blocks of the newest branch can be undone one by
 * one; the next block then has the parent of the block that was undone.
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

  /** Slot of the newest block; initially the slot before the first block. */
  get slot(): number {
    return this.tip.slot;
  }

  /** Hash of the newest block, used as the recent blockhash of the next transactions. */
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

  /**
   * Null if the group is not included: a payer cannot pay, or one of several transactions failed.
   */
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

  /** Undoes the newest block. Throws RangeError for any other block. */
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

import type { SourceProblem } from '../../model/errors.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import type { Slot } from '../../model/units.ts';
import type { LooseTransaction } from '../rpc-json/read-block.ts';

/**
 * Makes one block of everything recorded of a slot. Records are added in the order of their
 * origins, and the first of several copies stands.
 */
export class SlotMerger {
  readonly problems: SourceProblem[] = [];
  duplicates = 0;
  private readonly slot: Slot;
  private block: ChainBlock | null = null;
  private blockOrigin = '';
  private readonly loose = new Map<string, ChainTransaction>();
  private blockTimeMs: number | null = null;
  private looseVotes = 0;

  constructor(slot: Slot) {
    this.slot = slot;
  }

  addBlock(block: ChainBlock, origin: string): void {
    if (this.block === null) this.takeBlock(block, origin);
    else if (this.block.blockhash !== block.blockhash) this.refuseFork(this.block, block, origin);
    else if (!block.isWhole) this.addSelection(block);
    else if (this.block.isWhole) this.duplicates++;
    else {
      this.addSelection(this.block);
      this.takeBlock(block, origin);
    }
  }

  addLoose({ transaction, blockTimeMs }: LooseTransaction): void {
    this.blockTimeMs ??= blockTimeMs;
    if (transaction === null) this.looseVotes++;
    else this.addTransaction(transaction);
  }

  /** The slot's block; null when nothing usable was added. */
  finish(): ChainBlock | null {
    if (this.block === null) return this.looseBlock();
    const known = new Set(this.block.transactions.map(({ signature }) => signature));
    const extra = [...this.loose.values()].filter(({ signature }) => !known.has(signature));
    this.duplicates += this.loose.size - extra.length;
    if (extra.length === 0) return this.block;
    // A transaction that the block lacks shows that the block was recorded in part.
    const transactions = inOrder([...this.block.transactions, ...extra]);
    return { ...this.block, isWhole: false, transactions };
  }

  private looseBlock(): ChainBlock | null {
    if (this.loose.size === 0 && this.looseVotes === 0) return null;
    return {
      slot: this.slot,
      parentSlot: null,
      blockhash: null,
      previousBlockhash: null,
      blockTimeMs: this.blockTimeMs,
      isWhole: false,
      transactions: inOrder([...this.loose.values()]),
      voteCount: this.looseVotes,
    };
  }

  private takeBlock(block: ChainBlock, origin: string): void {
    this.block = block;
    this.blockOrigin = origin;
  }

  /** A block that is known to hold only some of its transactions counts as loose ones. */
  private addSelection(block: ChainBlock): void {
    for (const transaction of block.transactions) this.addTransaction(transaction);
  }

  private addTransaction(transaction: ChainTransaction): void {
    if (this.loose.has(transaction.signature)) this.duplicates++;
    else this.loose.set(transaction.signature, transaction);
  }

  private refuseFork(first: ChainBlock, other: ChainBlock, origin: string): void {
    this.problems.push({
      code: 'bad-transaction',
      origin,
      position: `slot ${this.slot}`,
      message: `block ${other.blockhash} of another fork; ${first.blockhash} of ${this.blockOrigin} stands`,
    });
  }
}

/** By index where it is known, the others after them by signature: no order of files shows. */
function inOrder(transactions: readonly ChainTransaction[]): ChainTransaction[] {
  return transactions.toSorted((one, other) => {
    const byIndex = (one.txIndex ?? Infinity) - (other.txIndex ?? Infinity);
    if (byIndex !== 0 && !Number.isNaN(byIndex)) return byIndex;
    return one.signature < other.signature ? -1 : 1;
  });
}

import type { SourceProblem } from '../../model/errors.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import type { Slot } from '../../model/units.ts';
import type { LooseTransaction } from '../rpc-json/read-block.ts';

/**
 * Merges all records of a slot into one block. Records are added in the order of their origins, and
 * the first of several copies is kept.
 */
export class SlotMerger {
  readonly problems: SourceProblem[] = [];
  duplicates = 0;
  private readonly slot: Slot;
  private block: ChainBlock | null = null;
  private blockOrigin = '';
  private blockTimeMs: number | null = null;
  private looseVotes = 0;
  /**
   * By signature: transactions received singly, in partial blocks, or only in another copy of the
   * block.
   */
  private readonly loose = new Map<string, ChainTransaction>();

  constructor(slot: Slot) {
    this.slot = slot;
  }

  addBlock(block: ChainBlock, origin: string): void {
    if (this.block === null) this.takeBlock(block, origin);
    else if (this.block.blockhash !== block.blockhash) this.refuseFork(this.block, block, origin);
    else if (block.isWhole && !this.block.isWhole) {
      this.addCopy(this.block, block);
      this.takeBlock(block, origin);
    } else this.addCopy(block, this.block);
  }

  addLoose({ transaction, blockTimeMs }: LooseTransaction): void {
    this.blockTimeMs ??= blockTimeMs;
    if (transaction === null) this.looseVotes++;
    else if (this.loose.has(transaction.signature)) this.duplicates++;
    else this.loose.set(transaction.signature, transaction);
  }

  /** The slot's block; null when nothing usable was added. */
  finish(): ChainBlock | null {
    if (this.block === null) return this.looseBlock();
    const known = new Set(this.block.transactions.map(({ signature }) => signature));
    const extra = [...this.loose.values()].filter(({ signature }) => !known.has(signature));
    this.duplicates += this.loose.size - extra.length;
    if (extra.length === 0) return this.block;
    // An extra transaction shows that the block was recorded only in part.
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

  /**
   * Copies of one block that differ are incomplete: transactions found only in the other one are
   * kept.
   */
  private addCopy(copy: ChainBlock, block: ChainBlock): void {
    const known = new Set(block.transactions.map(({ signature }) => signature));
    this.duplicates++;
    for (const transaction of copy.transactions) {
      const { signature } = transaction;
      if (!known.has(signature) && !this.loose.has(signature))
        this.loose.set(signature, transaction);
    }
  }

  private refuseFork(first: ChainBlock, other: ChainBlock, origin: string): void {
    this.problems.push({
      code: 'bad-transaction',
      origin,
      position: `slot ${this.slot}`,
      message: `block ${other.blockhash} of another fork; ${first.blockhash} of ${this.blockOrigin} is kept`,
    });
  }
}

/**
 * Sorts by index where known, the others after them by signature, so the order of files has no
 * effect. If several claim one index, the first keeps it; partial blocks count from their own
 * beginning.
 */
function inOrder(transactions: readonly ChainTransaction[]): ChainTransaction[] {
  const taken = new Set<number>();
  const settled = transactions.map((transaction) => {
    const { txIndex } = transaction;
    if (txIndex === null || !taken.has(txIndex)) {
      if (txIndex !== null) taken.add(txIndex);
      return transaction;
    }
    return { ...transaction, txIndex: null };
  });
  return settled.sort((one, other) => {
    if (one.txIndex !== other.txIndex) {
      return (one.txIndex ?? Number.MAX_SAFE_INTEGER) - (other.txIndex ?? Number.MAX_SAFE_INTEGER);
    }
    return one.signature < other.signature ? -1 : 1;
  });
}

import type { SlotFacts } from '../model/slot-facts.ts';
import type { ChainBlock, ChainTransaction } from '../model/transaction.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { DECODER_VERSION } from './registry.ts';
import { Tally } from './tally.ts';

/**
 * Decodes every transaction of a slot. A transaction that cannot be read does not affect the
 * others.
 */
export function decodeBlock(block: ChainBlock): SlotFacts {
  const tally = new Tally();
  const transactions = inOrder(block.transactions).map(({ transaction, txIndex }) =>
    decodeTransaction(transaction, txIndex, tally),
  );
  return {
    slot: block.slot,
    parentSlot: block.parentSlot,
    blockhash: block.blockhash,
    previousBlockhash: block.previousBlockhash,
    blockTimeMs: block.blockTimeMs,
    isWhole: block.isWhole,
    decoderVersion: DECODER_VERSION,
    voteCount: block.voteCount,
    transactions,
    outcomes: tally.outcomes,
    poolMovingCount: tally.poolMovingCount,
    explainedCount: tally.explainedCount,
    problems: tally.problems,
  };
}

/**
 * Transactions by index, then those without one ranked by signature, so that the order does not
 * depend on the input file.
 */
function inOrder(
  transactions: readonly ChainTransaction[],
): { transaction: ChainTransaction; txIndex: number }[] {
  const placed: { transaction: ChainTransaction; txIndex: number }[] = [];
  const loose: ChainTransaction[] = [];
  for (const transaction of transactions) {
    if (transaction.txIndex === null) loose.push(transaction);
    else placed.push({ transaction, txIndex: transaction.txIndex });
  }
  placed.sort((one, other) => one.txIndex - other.txIndex);
  loose.sort((one, other) => (one.signature < other.signature ? -1 : 1));
  const first = placed.length === 0 ? 0 : (placed[placed.length - 1]?.txIndex ?? 0) + 1;
  return placed.concat(loose.map((transaction, rank) => ({ transaction, txIndex: first + rank })));
}

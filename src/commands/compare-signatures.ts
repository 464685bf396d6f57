import type { BlockSignatures } from '../chain/rpc/nodes/fetch-signatures.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** Differences between a stored slot and another source. */
export interface SlotDifference {
  readonly isOtherBlock: boolean;
  /** Stored transactions that the other source does not have. */
  readonly extra: readonly string[];
  /** Number of transactions of the other source that are neither stored nor counted as votes. */
  readonly missingCount: number;
  /** Votes counted beyond the number of unstored transactions of the other source. */
  readonly surplusVotes: number;
  /** Same transactions in a different order. */
  readonly isOtherOrder: boolean;
}

/**
 * Null if the slots agree. Only the number of votes is stored, so the other source must have as
 * many unstored signatures as votes were counted.
 */
export function compareSignatures(
  { transactions, voteCount, blockhash }: SlotFacts,
  other: BlockSignatures,
): SlotDifference | null {
  const theirs = new Set(other.signatures);
  const extra = transactions.map((own) => own.signature).filter((own) => !theirs.has(own));
  const notStored = other.signatures.length - (transactions.length - extra.length);
  const isMoved = transactions.some(
    ({ isIndexKnown, txIndex, signature }) =>
      isIndexKnown && theirs.has(signature) && other.signatures[txIndex] !== signature,
  );
  const difference = {
    isOtherBlock: blockhash !== null && blockhash !== other.blockhash,
    extra,
    missingCount: Math.max(0, notStored - voteCount),
    surplusVotes: Math.max(0, voteCount - notStored),
    isOtherOrder: isMoved,
  };
  const { isOtherBlock, missingCount, surplusVotes, isOtherOrder } = difference;
  const isEqual = extra.length + missingCount + surplusVotes === 0 && !isOtherBlock;
  return isEqual && !isOtherOrder ? null : difference;
}

import type { BlockSignatures } from '../chain/rpc/nodes/fetch-signatures.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** How a stored slot differs from another source's. */
export interface SlotDifference {
  readonly isOtherBlock: boolean;
  /** Stored transactions that the other has not. */
  readonly extra: readonly string[];
  /** How many of the other's transactions are neither stored nor counted as votes. */
  readonly missingCount: number;
  /** Votes counted beyond what the other has room for. */
  readonly surplusVotes: number;
  /** The same transactions, at other places of the block. */
  readonly isOtherOrder: boolean;
}

/**
 * Null where they agree. Of votes only the number is stored: whatever of the other's signatures is not
 * stored must be as many as the votes.
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

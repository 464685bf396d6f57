import { createHash } from 'node:crypto';
import { decodeBlock } from '../../decoders/decode-block.ts';
import type { DecodeProblemKind, SlotFacts } from '../../model/slot-facts.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import { encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { contradictionsOf } from '../block-contradictions.ts';
import type { BlockReading, Testimony } from '../rpc/nodes/testimony.ts';

/** Problems of a block whose amounts were changed: payments and balances disagree. */
const ODD: ReadonlySet<DecodeProblemKind> = new Set(['malformed', 'quarantined', 'failed']);

/** Compares blocks by the facts that the log would store. */
export const BLOCK_READING: BlockReading = {
  digestOf: (item) => digestOfFacts(item.kind === 'facts' ? item.facts : decodeBlock(item.block)),
  testimonyOf,
};

/** The part of a block that is compared with other versions of its slot. */
export function testimonyOf(block: ChainBlock): Testimony {
  const facts = decodeBlock(block);
  const { unbalanced, unconserved, unconnected } = contradictionsOf(block);
  const odd = facts.problems.filter(({ problem }) => ODD.has(problem)).length;
  return {
    blockhash: facts.blockhash ?? '',
    digest: digestOfFacts(facts),
    faults: unbalanced + unconserved + unconnected + odd,
  };
}

/** Facts received in encoded form are not encoded again. */
function digestOfFacts(facts: SlotFacts): string {
  return createHash('sha256').update(encodeSlotFacts(facts)).digest('base64url');
}

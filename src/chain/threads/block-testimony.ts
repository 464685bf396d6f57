import { createHash } from 'node:crypto';
import { decodeBlock } from '../../decoders/decode-block.ts';
import type { DecodeProblemKind, SlotFacts } from '../../model/slot-facts.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import { encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { contradictionsOf } from '../block-contradictions.ts';
import type { BlockReading, Testimony } from '../rpc/nodes/testimony.ts';

/** Of a block whose amounts were changed: what was paid and what balances say differ. */
const ODD: ReadonlySet<DecodeProblemKind> = new Set(['malformed', 'quarantined', 'failed']);

/** What is told of blocks is what the log would store of them. */
export const BLOCK_READING: BlockReading = {
  digestOf: (item) => digestOfFacts(item.kind === 'facts' ? item.facts : decodeBlock(item.block)),
  testimonyOf,
};

/** A block, as far as it is compared with what others tell of its slot. */
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

/** Slots that came encoded are not encoded again. */
function digestOfFacts(facts: SlotFacts): string {
  return createHash('sha256').update(encodeSlotFacts(facts)).digest('base64url');
}

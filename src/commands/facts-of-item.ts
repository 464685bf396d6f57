import type { SourceItem } from '../chain/source.ts';
import { decodeBlock } from '../decoders/decode-block.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** The facts of an item of a source; null if it has none. */
export function factsOfItem(item: SourceItem): SlotFacts | null {
  if (item.kind === 'block') return decodeBlock(item.block);
  return item.kind === 'facts' ? item.facts : null;
}

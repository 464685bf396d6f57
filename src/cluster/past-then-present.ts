import type { ChainPoint } from '../chain/block-link.ts';
import type { SourceItem } from '../chain/source.ts';

/** Blocks of the past after which their finality is appended: what a takeover may repeat. */
const BLOCKS_A_FINALITY = 32;

/**
 * Blocks of the past in the order of their slots, all of them final, and then the chain as it is
 * followed after the last of them. If the past ends early, following begins there.
 */
export async function* pastThenPresent(
  past: AsyncIterable<SourceItem>,
  follow: (anchor: ChainPoint | null) => AsyncIterable<SourceItem>,
): AsyncGenerator<SourceItem> {
  let last: ChainPoint | null = null;
  let open = 0;
  for await (const item of past) {
    yield item;
    const point = pointOf(item);
    if (point === null) continue;
    last = point;
    open++;
    if (open < BLOCKS_A_FINALITY) continue;
    yield { kind: 'final', slot: point.slot };
    open = 0;
  }
  if (last !== null && open > 0) yield { kind: 'final', slot: last.slot };
  yield* follow(last);
}

/** Null for what is no block, and for a block whose hash is not known. */
function pointOf(item: SourceItem): ChainPoint | null {
  if (item.kind !== 'block' && item.kind !== 'facts') return null;
  const { slot, blockhash } = item.kind === 'block' ? item.block : item.facts;
  return blockhash === null ? null : { slot, blockhash };
}

import { type ChainPoint, isSamePoint } from '../chain/block-link.ts';
import type { OpenGap } from '../chain/open-gaps.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';

/** The part of the stored log needed for gaps. */
export interface StoredBlocks {
  /** Null for a slot that is not stored. */
  find(slot: number): Promise<SlotFacts | null>;
}

/**
 * Maximum number of consecutive skipped slots around a gap, and how far before it blocks may still
 * turn out to be on a lost branch.
 */
const REACH_SLOTS = 64;
/**
 * Number of newest gaps for which preceding blocks are read that far; it takes one read per slot.
 */
const SUSPECTED_GAPS_MAX = 16;

/**
 * Gaps between two stored blocks, which identify the missing block; other gaps are left to
 * `backfill`. Gaps that lack the same block are merged.
 */
export async function openGapsOf(
  log: StoredBlocks,
  gaps: readonly SlotGap[],
): Promise<readonly OpenGap[]> {
  const open: OpenGap[] = [];
  for (const [index, { from, to }] of gaps.entries()) {
    const isNew = gaps.length - index <= SUSPECTED_GAPS_MAX;
    const below = await pointsBefore(log, from, isNew ? Number.POSITIVE_INFINITY : 1);
    const above = await firstAfter(log, to);
    const slot = above?.parentSlot ?? null;
    const blockhash = above?.previousBlockhash ?? null;
    // The parent of the block above may be below the gap: the gap's slots are then on another
    // branch.
    if (below.length === 0 || slot === null || blockhash === null || slot < from) continue;
    const expected = { slot, blockhash };
    if (open.some((other) => isSamePoint(other.expected, expected))) continue;
    open.push({ from, below, expected });
  }
  return open;
}

/**
 * The nearest blocks before a slot, ascending, back to the first that was recorded without its
 * hash.
 */
async function pointsBefore(log: StoredBlocks, before: Slot, max: number): Promise<ChainPoint[]> {
  const points: ChainPoint[] = [];
  for (let slot = before - 1; slot >= before - REACH_SLOTS && points.length < max; slot--) {
    const facts = await log.find(slot);
    if (facts === null) continue;
    if (facts.blockhash === null) break;
    points.unshift({ slot: facts.slot, blockhash: facts.blockhash });
  }
  return points;
}

/** The first stored slot after `after`; null if there is none nearby. */
async function firstAfter(log: StoredBlocks, after: Slot): Promise<SlotFacts | null> {
  for (let slot = after + 1; slot <= after + REACH_SLOTS; slot++) {
    const facts = await log.find(slot);
    if (facts !== null) return facts;
  }
  return null;
}

import type { Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, parentOf } from './block-link.ts';

/** Final slots that nobody could give. Both ends included. */
export interface OpenGap {
  readonly from: Slot;
  /** The last block before it. */
  readonly below: ChainPoint;
  /** The parent that the first block after it names: the newest block that is missed. */
  readonly expected: ChainPoint;
}

/** What a late block brought. */
export interface GapFilling {
  /** Slots right before the block that it proves to have none; null for none. */
  readonly skipped: { readonly from: Slot; readonly to: Slot } | null;
}

/**
 * Gaps that are filled from above: each block that is missed is known by slot and hash from the one
 * after it, so that what comes late is proven to belong there, as are the slots between that have no
 * block.
 */
export class OpenGaps {
  private readonly gaps: OpenGap[] = [];
  private readonly max: number;

  /** Beyond `max` gaps the oldest is no longer asked for. It stays named. */
  constructor(max: number) {
    this.max = max;
  }

  open(gap: OpenGap): void {
    this.gaps.push(gap);
    if (this.gaps.length > this.max) this.gaps.shift();
  }

  /** The block that each gap misses next, newest gap first: old blocks are the hardest to get. */
  wanted(): readonly ChainPoint[] {
    return this.gaps.map(({ expected }) => expected).reverse();
  }

  /** Null for a block that no gap misses. */
  fill(block: BlockLink): GapFilling | null {
    const index = this.gaps.findIndex(({ expected }) => isSamePoint(expected, block));
    const gap = this.gaps[index];
    if (gap === undefined) return null;
    const expected = parentOf(block);
    if (expected.slot >= gap.from) this.gaps[index] = { ...gap, expected };
    else this.gaps.splice(index, 1);
    const from = Math.max(gap.from, block.parentSlot + 1) as Slot;
    const to = (block.slot - 1) as Slot;
    // A parent before the gap must be the block that stands there, or nothing is proven by it.
    const isProven = expected.slot >= gap.from || isSamePoint(expected, gap.below);
    return { skipped: isProven && from <= to ? { from, to } : null };
  }
}

import type { SlotRun } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, parentOf } from './block-link.ts';

/** Slots whose blocks no node could supply. Both ends included. */
export interface OpenGap {
  readonly from: Slot;
  /**
   * Blocks of the log before it, ascending. The first is certain; the others could still be
   * reverted when the gap was reported, because nothing proves that the chain after the gap builds
   * on them.
   */
  readonly below: readonly ChainPoint[];
  /** The parent named by the first block after the gap: the newest missing block. */
  readonly expected: ChainPoint;
}

/** What a late block proved. */
export interface GapFilling {
  /** Slots before the gap that were reported from a losing branch; null for none. */
  readonly dropped: SlotRun | null;
  /** Slots right before the block that it proves empty; null for none. */
  readonly skipped: SlotRun | null;
}

/**
 * Gaps, filled from above: each missing block is identified by slot and hash in the block after it,
 * which proves that a late block belongs there and which slots between are empty. A block whose
 * parent lies before the gap shows that the blocks between belong to a losing branch.
 */
export class OpenGaps {
  private gaps: OpenGap[] = [];
  /** Final blocks, ascending. */
  private recent: ChainPoint[] = [];
  private readonly max: number;

  /** Beyond `max` gaps the blocks of the oldest are no longer requested. It stays reported. */
  constructor(max: number) {
    this.max = max;
  }

  /** A block became final. */
  hold({ slot, blockhash }: ChainPoint): void {
    this.recent.push({ slot, blockhash });
    if (this.recent.length > RECENT_MAX) this.recent.shift();
  }

  /** Remembered final blocks from a slot on, ascending. */
  rememberedFrom(slot: number): readonly ChainPoint[] {
    return this.recent.filter((point) => point.slot >= slot);
  }

  /** The first remembered slot, null before any. */
  get oldestSlot(): Slot | null {
    return this.recent[0]?.slot ?? null;
  }

  /** Per gap, the last slot before the part it makes uncertain, if still remembered. */
  get certainSlots(): readonly Slot[] {
    const oldest = this.oldestSlot ?? Number.POSITIVE_INFINITY;
    return this.gaps.flatMap(({ below }) => below[0]?.slot ?? []).filter((slot) => slot >= oldest);
  }

  open(gap: OpenGap): void {
    this.gaps.push(gap);
    if (this.gaps.length > this.max) this.gaps.shift();
  }

  /** The next missing block of each gap, newest gap first: old blocks are the hardest to get. */
  wanted(): readonly ChainPoint[] {
    return this.gaps.map(({ expected }) => expected).reverse();
  }

  /** Returns null for a block that no gap misses. */
  fill(block: BlockLink): GapFilling | null {
    const gap = this.gaps.find(({ expected }) => isSamePoint(expected, block));
    if (gap === undefined) return null;
    this.gaps.splice(this.gaps.indexOf(gap), 1);
    const parent = parentOf(block);
    const kept = gap.below.filter(
      (point) => point.slot < parent.slot || isSamePoint(point, parent),
    );
    const last = kept.at(-1);
    // A parent before the remaining blocks must be one of them, or it proves nothing.
    if (last === undefined) return { dropped: null, skipped: null };
    const isInGap = parent.slot >= gap.from;
    const isClosed = !isInGap && isSamePoint(last, parent);
    const isAsReported = isInGap || (isClosed && kept.length === gap.below.length);
    const dropped = isAsReported ? null : runOf(last.slot + 1, gap.from - 1);
    if (dropped !== null) this.forget(dropped);
    const from = dropped?.from ?? gap.from;
    if (!isClosed) this.open({ from, below: kept, expected: parent });
    this.learn(block);
    return { dropped, skipped: runOf(Math.max(from, parent.slot + 1), block.slot - 1) };
  }

  /** Forgets the blocks of the run; gaps inside it are covered by the one above. */
  private forget({ from, to }: SlotRun): void {
    const isLeft = ({ slot }: ChainPoint) => slot < from || slot > to;
    this.recent = this.recent.filter(isLeft);
    this.gaps = this.gaps
      .filter((gap) => gap.from < from || gap.from > to)
      .map((gap) => ({ ...gap, below: gap.below.filter(isLeft) }));
  }

  /** Remembers the block, which may precede other gaps. */
  private learn(block: BlockLink): void {
    this.recent = withPoint(this.recent, block);
    this.gaps = this.gaps.map((gap) =>
      block.slot < gap.from ? { ...gap, below: withPoint(gap.below, block) } : gap,
    );
  }
}

/** Final blocks that are remembered; a losing branch is shorter. */
const RECENT_MAX = 512;

/** The points plus one, in order; a point before the first is not added. */
function withPoint(points: readonly ChainPoint[], { slot, blockhash }: ChainPoint): ChainPoint[] {
  if (slot < (points[0]?.slot ?? Number.POSITIVE_INFINITY)) return [...points];
  return [...points, { slot, blockhash }].sort((one, other) => one.slot - other.slot);
}

function runOf(from: number, to: number): SlotRun | null {
  return from > to ? null : { from: asSlot(from), to: asSlot(to) };
}

import type { SlotRun } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, parentOf } from './block-link.ts';

/** Slots that nobody could give. Both ends included. */
export interface OpenGap {
  readonly from: Slot;
  /**
   * Blocks of the log before it, ascending: the first stays whatever comes, the others could still
   * have been taken back when the gap was named, since nothing says that what follows the gap builds
   * on them.
   */
  readonly below: readonly ChainPoint[];
  /** The parent that the first block after it names: the newest block that is missed. */
  readonly expected: ChainPoint;
}

/** What a late block brought. */
export interface GapFilling {
  /** Slots before the gap that were told of by a branch that lost; null for none. */
  readonly dropped: SlotRun | null;
  /** Slots right before the block that it proves to have none; null for none. */
  readonly skipped: SlotRun | null;
}

/**
 * Gaps that are filled from above: each block that is missed is known by slot and hash from the one
 * after it, so that what comes late is proven to belong there, as are the slots between that have no
 * block. A block whose parent lies further back than the gap shows that what stands between is of a
 * branch that lost.
 */
export class OpenGaps {
  private gaps: OpenGap[] = [];
  /** Final blocks, ascending. */
  private recent: ChainPoint[] = [];
  private readonly max: number;

  /** Beyond `max` gaps the oldest is no longer asked for. It stays named. */
  constructor(max: number) {
    this.max = max;
  }

  /** A block became final. */
  hold({ slot, blockhash }: ChainPoint): void {
    this.recent.push({ slot, blockhash });
    if (this.recent.length > RECENT_MAX) this.recent.shift();
  }

  /** Final blocks from a slot on, ascending, as far back as they are remembered. */
  heldFrom(slot: Slot): readonly ChainPoint[] {
    return this.recent.filter((point) => point.slot >= slot);
  }

  /** The first slot that is remembered, null before any. */
  get oldestSlot(): Slot | null {
    return this.recent[0]?.slot ?? null;
  }

  /** Per gap the last slot before what it leaves in doubt, as far back as blocks are remembered. */
  get undoubtedSlots(): readonly Slot[] {
    const oldest = this.oldestSlot ?? Number.POSITIVE_INFINITY;
    return this.gaps.flatMap(({ below }) => below[0]?.slot ?? []).filter((slot) => slot >= oldest);
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
    const gap = this.gaps.find(({ expected }) => isSamePoint(expected, block));
    if (gap === undefined) return null;
    this.gaps.splice(this.gaps.indexOf(gap), 1);
    const parent = parentOf(block);
    const kept = gap.below.filter(
      (point) => point.slot < parent.slot || isSamePoint(point, parent),
    );
    const last = kept.at(-1);
    // A parent before what stays must be the block that stands there, or nothing is proven by it.
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

  /** Blocks of the run are no longer held, and gaps in it are told of by the one above. */
  private forget({ from, to }: SlotRun): void {
    const isLeft = ({ slot }: ChainPoint) => slot < from || slot > to;
    this.recent = this.recent.filter(isLeft);
    this.gaps = this.gaps
      .filter((gap) => gap.from < from || gap.from > to)
      .map((gap) => ({ ...gap, below: gap.below.filter(isLeft) }));
  }

  /** The block is held, and may stand before other gaps. */
  private learn(block: BlockLink): void {
    this.recent = withPoint(this.recent, block);
    this.gaps = this.gaps.map((gap) =>
      block.slot < gap.from ? { ...gap, below: withPoint(gap.below, block) } : gap,
    );
  }
}

/** Final blocks that are remembered; a branch that lost is shorter. */
const RECENT_MAX = 512;

/** The points with one more in its place; those from before the first are not remembered. */
function withPoint(points: readonly ChainPoint[], { slot, blockhash }: ChainPoint): ChainPoint[] {
  if (slot < (points[0]?.slot ?? Number.POSITIVE_INFINITY)) return [...points];
  return [...points, { slot, blockhash }].sort((one, other) => one.slot - other.slot);
}

function runOf(from: number, to: number): SlotRun | null {
  return from > to ? null : { from: from as Slot, to: to as Slot };
}

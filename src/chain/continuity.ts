import type { Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, keyOf, parentOf } from './block-link.ts';
import { BlockLog } from './block-log.ts';
import type { FinalityStrategy } from './finality.ts';
import type { LogStep } from './log-step.ts';
import { LostPoints } from './lost-points.ts';
import { attachmentOf, type NextBranch, nextBranch } from './next-branch.ts';
import type { OpenGap } from './open-gaps.ts';
import { PendingBlocks, type PendingBranch } from './pending-blocks.ts';

/**
 * - `taken`: it stands in the log or waits for its parent.
 * - `known`: it stood there or waited already.
 * - `late`: its slot is final or stands before the log, and it fills no gap.
 * - `refused`: it claims a parent that does not come before it.
 * - `no-room`: too many blocks wait; it has to be offered again.
 */
export type BlockVerdict = 'taken' | 'known' | 'late' | 'refused' | 'no-room';

export interface Accepted<Block> {
  readonly verdict: BlockVerdict;
  readonly steps: readonly LogStep<Block>[];
}

export interface ContinuityOptions {
  /** The last block that is known and final; null: the first block given is the first of the log. */
  readonly anchor: ChainPoint | null;
  readonly finality: FinalityStrategy;
  /** Gaps before the anchor that are still to be filled. */
  readonly gaps?: readonly OpenGap[];
  /** Blocks that may wait for a parent. */
  readonly heldMax?: number;
  /** Slots of the log that may be short of final. */
  readonly tailMax?: number;
  /**
   * A chain of this many blocks that denies a final one stops the log. Fewer are the word of a node
   * that went astray.
   */
  readonly contradictionBlocks?: number;
  /** A block of which this is true, and what follows it, is not called final yet. */
  readonly holdsBack?: (point: ChainPoint) => boolean;
  /** Whether blocks are kept until they are final, so that one of them can be replaced. */
  readonly keepsBlocks?: boolean;
}

/** A chain that leaves the log where it is in doubt has to be this many times as long to stop it. */
const SUSPECT_FACTOR = 16;
/**
 * Makes one ordered log of blocks that come as they please: twice, late, out of order, of branches
 * that are dropped, of slots with two blocks. Blocks are linked by slot and hash of their parents.
 * The branch of the highest slot is followed; a slot is called skipped only when a final block's own
 * parent proves it. No clock, no I/O: the caller gives blocks, asks what is `wanted`, and says what
 * nobody has.
 */
export class Continuity<Block extends BlockLink> {
  private readonly finality: FinalityStrategy;
  private readonly tailMax: number;
  private readonly contradictionBlocks: number;
  private readonly holdsBack: (point: ChainPoint) => boolean;
  private readonly keepsBlocks: boolean;
  private readonly held: PendingBlocks<Block>;
  private readonly lost = new LostPoints();
  private readonly log: BlockLog<Block>;
  private networkFinalSlot: Slot | null = null;
  private stopSentence: string | null = null;

  constructor(options: ContinuityOptions) {
    this.finality = options.finality;
    this.tailMax = options.tailMax ?? 512;
    this.contradictionBlocks = options.contradictionBlocks ?? 8;
    this.holdsBack = options.holdsBack ?? (() => false);
    this.keepsBlocks = options.keepsBlocks ?? false;
    this.held = new PendingBlocks(options.heldMax ?? 512);
    this.log = new BlockLog(options.anchor, options.gaps ?? []);
  }

  /** Newest block of the log, null before the first. */
  get head(): ChainPoint | null {
    return this.log.head;
  }

  get finalSlot(): Slot | null {
    return this.log.base?.slot ?? null;
  }

  get tailLength(): number {
    return this.log.tail.length;
  }

  get pendingBlocks(): number {
    return this.held.size;
  }

  /** Why the log cannot go on, in a sentence; null while it can. Nothing is accepted after it. */
  get stopReason(): string | null {
    return this.stopSentence;
  }

  /** Whether `accept` would take the block, were there room. */
  isNew(block: BlockLink): boolean {
    const isAfter = block.slot > (this.finalSlot ?? -1) && block.parentSlot < block.slot;
    return this.stopSentence === null && isAfter && !this.isKnown(block);
  }

  accept(block: Block): Accepted<Block> {
    if (this.stopSentence !== null) return { verdict: 'no-room', steps: [] };
    const verdict = this.take(block);
    if (verdict === 'late') return this.takeLate(block);
    return { verdict, steps: verdict === 'taken' ? this.settle() : [] };
  }

  /** Nobody has this block. Whatever follows it stands behind a named gap, unless it comes after all. */
  giveUp(point: ChainPoint, reason: string): readonly LogStep<Block>[] {
    if (this.stopSentence !== null || this.held.has(point)) return [];
    this.lost.add(point, reason);
    return this.settle();
  }

  /** Nodes say that everything up to this slot is final. It never goes back. */
  observeFinal(slot: Slot): readonly LogStep<Block>[] {
    if (slot <= (this.networkFinalSlot ?? -1)) return [];
    this.networkFinalSlot = slot;
    return this.settle();
  }

  /** Blocks of the log that are in memory whole. */
  get keptBlocks(): number {
    return this.log.tail.filter(({ block }) => block !== null).length;
  }

  /** The block of this slot and hash is another than was told. Needs `keepsBlocks`. */
  replace(block: Block): readonly LogStep<Block>[] {
    return this.retell(block, () => this.held.add(block, this.head?.slot ?? -1));
  }

  /** Nobody knows what this block is: it is named missing, and what follows it stands behind a gap. */
  dispute(point: ChainPoint, reason: string): readonly LogStep<Block>[] {
    return this.retell(point, () => this.lost.add(point, reason));
  }

  /** Something that was held back may be final now. */
  recheck(): readonly LogStep<Block>[] {
    return this.stopSentence === null ? this.settle() : [];
  }

  /** Blocks that are missed: parents of what would stand beyond the head. Lowest slot first. */
  wanted(): readonly ChainPoint[] {
    const points = new Map<string, ChainPoint>();
    for (const branch of this.winningBranches()) {
      const point = parentOf(branch.root);
      const { kind } = attachmentOf(branch, this.log, this.lost);
      if (kind === 'open') points.set(keyOf(point), point);
    }
    return [...points.values()].sort((one, other) => one.slot - other.slot);
  }

  /** Blocks of slots that were named missing, each the next one of its gap. */
  wantedLate(): readonly ChainPoint[] {
    return this.log.wanted();
  }

  private isKnown(block: BlockLink): boolean {
    return this.held.has(block) || this.log.tailIndexOf(block) >= 0;
  }

  /** Takes a block back, and what follows it, to tell it again after `change`. */
  private retell(point: ChainPoint, change: () => void): readonly LogStep<Block>[] {
    if (this.stopSentence !== null) return [];
    const index = this.log.tailIndexOf(point);
    // Of a branch that lost, or waiting: it is told anew if it is ever followed.
    if (index < 0 && !this.held.has(point)) return [];
    if (index < 0) this.held.drop(point);
    const [, ...behind] = index < 0 ? [] : this.log.takeBackFrom(index);
    change();
    const headSlot = this.head?.slot ?? -1;
    for (const { block } of behind) if (block !== null) this.held.add(block, headSlot);
    return this.settle();
  }

  private takeLate(block: Block): Accepted<Block> {
    if (!this.log.fill(block)) return { verdict: 'late', steps: [] };
    return { verdict: 'taken', steps: this.log.takeSteps() };
  }

  private take(block: Block): BlockVerdict {
    if (block.parentSlot >= block.slot) return 'refused';
    if (this.log.base === null) this.log.begin(parentOf(block));
    const base = this.log.base as ChainPoint;
    if (block.slot <= base.slot) return isSamePoint(block, base) ? 'known' : 'late';
    if (this.isKnown(block)) return 'known';
    return this.held.add(block, this.head?.slot ?? -1) ? 'taken' : 'no-room';
  }

  private settle(): readonly LogStep<Block>[] {
    this.finalise();
    this.reopenGap();
    while (this.stopSentence === null) {
      const branches = this.winningBranches();
      const next = nextBranch(branches, this.log, this.lost);
      if (next === null) {
        this.checkContradictions(branches);
        break;
      }
      this.follow(next);
    }
    return this.log.takeSteps();
  }

  /**
   * A block came that a gap of the tail misses: what stands behind the gap waits again, to follow it
   * from wherever it builds on. Where that is before what is final, the gap is filled when it is final.
   */
  private reopenGap(): void {
    const { tail } = this.log;
    const index = tail.findIndex((link) => link.gap !== null && this.isMendable(link));
    if (index < 0) return;
    const behind = this.log.takeBackFrom(index);
    const headSlot = this.head?.slot ?? -1;
    for (const { block } of behind) if (block !== null) this.held.add(block, headSlot);
  }

  private isMendable(link: BlockLink): boolean {
    const missed = this.held.get(parentOf(link));
    const { base } = this.log;
    if (missed === null || base === null) return false;
    const parent = parentOf(this.held.rootOf(missed));
    return parent.slot > base.slot || isSamePoint(parent, base);
  }

  /** Branches whose tip lies beyond the head. */
  private winningBranches(): PendingBranch<Block>[] {
    const headSlot = this.head?.slot ?? -1;
    return this.held.branches().filter(({ tip }) => tip.slot > headSlot);
  }

  private follow({ branch, at, gap }: NextBranch<Block>): void {
    this.log.undoTo(at);
    let opened = gap === null ? null : this.log.openGap(gap, parentOf(branch.root));
    const isKept = this.keepsBlocks || opened !== null || this.log.isTailBroken;
    for (const block of this.held.take(branch)) {
      this.log.add(block, opened, isKept);
      opened = null;
      this.lost.drop(block);
      this.finalise();
    }
    if (this.tailLength > this.tailMax) {
      this.stopSentence = `No slot after ${this.finalSlot} became final in ${this.tailLength} blocks, more than the ${this.tailMax} that are kept: finality has stopped or is misread.`;
    }
  }

  private finalise(): void {
    const { head, networkFinalSlot } = this;
    if (head === null) return;
    const finalSlot = this.finality.finalSlot({ headSlot: head.slot, networkFinalSlot });
    const slot = this.log.finalise(finalSlot, this.holdsBack);
    if (slot === null) return;
    this.log.fillFrom(this.held);
    this.held.dropUpTo(slot);
    this.lost.dropUpTo(slot);
  }

  private checkContradictions(branches: readonly PendingBranch<Block>[]): void {
    const { undoubtedSlot } = this.log;
    const isAnySuspect = undoubtedSlot < (this.finalSlot ?? -1);
    const denying = branches.find((branch) => {
      // A dropped branch may grow from blocks that a gap keeps from the log.
      const isSuspectBranch = isAnySuspect && branch.root.parentSlot >= undoubtedSlot;
      const blocksMin = this.contradictionBlocks * (isSuspectBranch ? SUSPECT_FACTOR : 1);
      if (branch.length < blocksMin) return false;
      return attachmentOf(branch, this.log, this.lost).kind === 'contradiction';
    });
    if (denying === undefined) return;
    const { root, tip } = denying;
    this.stopSentence = `The chain of block ${tip.slot} leaves the log before slot ${this.finalSlot}, which is final (its parent is slot ${root.parentSlot}, ${root.previousBlockhash}): a fork deeper than finality. Compare with a second node; nothing is written until the log is rebuilt or finality waits for more slots.`;
  }
}

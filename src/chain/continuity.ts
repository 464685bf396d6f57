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
 * - `taken`: the block is in the log or waits for its parent.
 * - `known`: it was already in the log or waiting.
 * - `late`: its slot is final or lies before the log, and it fills no gap.
 * - `refused`: its parent's slot is not lower than its own.
 * - `no-room`: too many blocks are waiting; offer it again later.
 */
export type BlockVerdict = 'taken' | 'known' | 'late' | 'refused' | 'no-room';

export interface Accepted<Block> {
  readonly verdict: BlockVerdict;
  readonly steps: readonly LogStep<Block>[];
}

export interface ContinuityOptions {
  /** The last known final block; null: the log begins with the first block accepted. */
  readonly anchor: ChainPoint | null;
  readonly finality: FinalityStrategy;
  /** Gaps before the anchor that are still to be filled. */
  readonly gaps?: readonly OpenGap[];
  /** Bound on blocks that wait for a parent. */
  readonly pendingBlocksMax?: number;
  /** Bound on blocks of the log that are not final. */
  readonly tailMax?: number;
  /**
   * A chain of this many blocks that contradicts a final block stops the log. A shorter one is
   * attributed to a faulty node.
   */
  readonly contradictionBlocks?: number;
  /** A block for which this returns true is not made final yet, nor is anything after it. */
  readonly holdsPending?: (point: ChainPoint) => boolean;
  /** Whether blocks are kept until they are final, so that each can be replaced. */
  readonly keepsBlocks?: boolean;
}

/**
 * A contradicting chain that branches off in an uncertain part of the log must be this many times
 * as long to stop it.
 */
const SUSPECT_FACTOR = 16;
/**
 * Builds one ordered log from blocks that arrive in any order: duplicated, late, on branches that
 * are dropped, two for one slot. Blocks are linked by slot and hash of their parents. The log
 * follows the branch with the highest slot; a slot is reported as skipped only when the parent of a
 * final block proves it. No clock, no I/O: the caller supplies blocks, reads what is `wanted`, and
 * reports blocks that no node can supply.
 */
export class Continuity<Block extends BlockLink> {
  private readonly finality: FinalityStrategy;
  private readonly tailMax: number;
  private readonly contradictionBlocks: number;
  private readonly holdsPending: (point: ChainPoint) => boolean;
  private readonly keepsBlocks: boolean;
  private readonly pending: PendingBlocks<Block>;
  private readonly lost = new LostPoints();
  private readonly log: BlockLog<Block>;
  private networkFinalSlot: Slot | null = null;
  private stopSentence: string | null = null;

  constructor(options: ContinuityOptions) {
    this.finality = options.finality;
    this.tailMax = options.tailMax ?? 512;
    this.contradictionBlocks = options.contradictionBlocks ?? 8;
    this.holdsPending = options.holdsPending ?? (() => false);
    this.keepsBlocks = options.keepsBlocks ?? false;
    this.pending = new PendingBlocks(options.pendingBlocksMax ?? 512);
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
    return this.pending.size;
  }

  /** A sentence on why the log cannot continue, null while it can. Nothing is accepted after it. */
  get stopReason(): string | null {
    return this.stopSentence;
  }

  /** Whether `accept` would take the block, apart from the bound on pending blocks. */
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

  /**
   * No node can supply this block. Its descendants follow a reported gap, unless it arrives later.
   */
  abandon(point: ChainPoint, reason: string): readonly LogStep<Block>[] {
    if (this.stopSentence !== null || this.pending.has(point)) return [];
    this.lost.add(point, reason);
    return this.settle();
  }

  /** The nodes report every slot up to this one as final. A lower slot is ignored. */
  observeFinal(slot: Slot): readonly LogStep<Block>[] {
    if (slot <= (this.networkFinalSlot ?? -1)) return [];
    this.networkFinalSlot = slot;
    return this.settle();
  }

  /** Blocks of the log that are kept whole in memory. */
  get keptBlocks(): number {
    return this.log.tail.filter(({ block }) => block !== null).length;
  }

  /** Replaces the emitted block of this slot and hash by a corrected one. Needs `keepsBlocks`. */
  replace(block: Block): readonly LogStep<Block>[] {
    return this.reemit(block, () => this.pending.add(block, this.head?.slot ?? -1));
  }

  /**
   * The contents of this block cannot be established: it is reported missing, and its descendants
   * follow a gap.
   */
  dispute(point: ChainPoint, reason: string): readonly LogStep<Block>[] {
    return this.reemit(point, () => this.lost.add(point, reason));
  }

  /** Checks again whether blocks for which `holdsPending` was true may be final now. */
  recheck(): readonly LogStep<Block>[] {
    return this.stopSentence === null ? this.settle() : [];
  }

  /** Missing blocks: parents of branches that would extend beyond the head. Lowest slot first. */
  wanted(): readonly ChainPoint[] {
    const points = new Map<string, ChainPoint>();
    for (const branch of this.winningBranches()) {
      const point = parentOf(branch.root);
      const { kind } = attachmentOf(branch, this.log, this.lost);
      if (kind === 'open') points.set(keyOf(point), point);
    }
    return [...points.values()].sort((one, other) => one.slot - other.slot);
  }

  /** The next missing block of each gap. */
  wantedLate(): readonly ChainPoint[] {
    return this.log.wanted();
  }

  private isKnown(block: BlockLink): boolean {
    return this.pending.has(block) || this.log.tailIndexOf(block) >= 0;
  }

  /** Reverts a block and everything after it, and emits them again after `change`. */
  private reemit(point: ChainPoint, change: () => void): readonly LogStep<Block>[] {
    if (this.stopSentence !== null) return [];
    const index = this.log.tailIndexOf(point);
    // The block is on a losing branch or pending: it is emitted if its branch is followed later.
    if (index < 0 && !this.pending.has(point)) return [];
    if (index < 0) this.pending.drop(point);
    const [, ...reverted] = index < 0 ? [] : this.log.revertFrom(index);
    change();
    const headSlot = this.head?.slot ?? -1;
    for (const { block } of reverted) if (block !== null) this.pending.add(block, headSlot);
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
    return this.pending.add(block, this.head?.slot ?? -1) ? 'taken' : 'no-room';
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
   * When a block that a gap of the tail misses has arrived, what follows the gap becomes pending
   * again and is attached wherever it builds on. If that lies before the final slot, the gap is
   * filled once it is final.
   */
  private reopenGap(): void {
    const { tail } = this.log;
    const index = tail.findIndex((link) => link.gap !== null && this.isMendable(link));
    if (index < 0) return;
    const reverted = this.log.revertFrom(index);
    const headSlot = this.head?.slot ?? -1;
    for (const { block } of reverted) if (block !== null) this.pending.add(block, headSlot);
  }

  private isMendable(link: BlockLink): boolean {
    const missed = this.pending.get(parentOf(link));
    const { base } = this.log;
    if (missed === null || base === null) return false;
    const parent = parentOf(this.pending.rootOf(missed));
    return parent.slot > base.slot || isSamePoint(parent, base);
  }

  /** Branches whose tip is beyond the head. */
  private winningBranches(): PendingBranch<Block>[] {
    const headSlot = this.head?.slot ?? -1;
    return this.pending.branches().filter(({ tip }) => tip.slot > headSlot);
  }

  private follow({ branch, at, gap }: NextBranch<Block>): void {
    this.log.undoTo(at);
    let opened = gap === null ? null : this.log.openGap(gap, parentOf(branch.root));
    const isKept = this.keepsBlocks || opened !== null || this.log.isTailBroken;
    for (const block of this.pending.take(branch)) {
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
    const slot = this.log.finalise(finalSlot, this.holdsPending);
    if (slot === null) return;
    this.log.fillFrom(this.pending);
    this.pending.dropUpTo(slot);
    this.lost.dropUpTo(slot);
  }

  private checkContradictions(branches: readonly PendingBranch<Block>[]): void {
    const { certainSlot } = this.log;
    const isAnySuspect = certainSlot < (this.finalSlot ?? -1);
    const denying = branches.find((branch) => {
      // A losing branch may grow from blocks that a gap keeps out of the log.
      const isSuspectBranch = isAnySuspect && branch.root.parentSlot >= certainSlot;
      const blocksMin = this.contradictionBlocks * (isSuspectBranch ? SUSPECT_FACTOR : 1);
      if (branch.length < blocksMin) return false;
      return attachmentOf(branch, this.log, this.lost).kind === 'contradiction';
    });
    if (denying === undefined) return;
    const { root, tip } = denying;
    this.stopSentence = `The chain of block ${tip.slot} leaves the log before slot ${this.finalSlot}, which is final (its parent is slot ${root.parentSlot}, ${root.previousBlockhash}): a fork deeper than finality. Compare with a second node; nothing is written until the log is rebuilt or finality waits for more slots.`;
  }
}

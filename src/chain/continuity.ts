import type { Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, keyOf, parentOf } from './block-link.ts';
import type { FinalityStrategy } from './finality.ts';
import { HeldBlocks, type HeldBranch } from './held-blocks.ts';
import { type OpenGap, OpenGaps } from './open-gaps.ts';

/** One step of the log that blocks are put into. */
export type LogStep<Block> =
  /** Of a slot after all others, or late: of a slot that was named missing and is final. */
  | { readonly kind: 'block'; readonly block: Block }
  /** What came after this slot never was: blocks, and slots named missing. */
  | { readonly kind: 'undo'; readonly toSlot: Slot; readonly toBlockhash: string }
  /**
   * Said of final slots alone: what was told of them was of a branch that lost, as the late block that
   * comes next proves. They are missing until it or the next `skipped` says more.
   */
  | { readonly kind: 'dropped'; readonly from: Slot; readonly to: Slot }
  /** Said of final slots alone. */
  | { readonly kind: 'skipped'; readonly from: Slot; readonly to: Slot }
  | {
      readonly kind: 'missing';
      readonly from: Slot;
      readonly to: Slot;
      readonly reason: string;
    }
  | { readonly kind: 'final'; readonly slot: Slot };

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

/** A block in the log that is not final. */
interface TailLink<Block> extends BlockLink {
  /** Slots named missing right before it, null for none. */
  readonly gap: OpenGap | null;
  /** Kept where it may be told again: behind a gap, which may turn out to begin elsewhere, or after a
   * block that may be replaced. Null where nothing is in doubt. */
  readonly block: Block | null;
}

/** How a held branch stands to the log. */
type Attachment =
  | { readonly kind: 'attached'; readonly at: ChainPoint }
  /** Nobody could give the parent; `reason` says why. */
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'open' }
  /** Its parent denies a final block. */
  | { readonly kind: 'contradiction' };

/** Points remembered as lost; they are forgotten when they lie behind the final slot. */
const LOST_MAX = 1_024;
/** A chain that leaves the log where it is in doubt has to be this many times as long to stop it. */
const DOUBT_FACTOR = 16;
/** Gaps that are still asked for. */
const GAPS_MAX = 1_024;

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
  private readonly held: HeldBlocks<Block>;
  private readonly lost = new Map<string, { readonly slot: Slot; readonly reason: string }>();
  private readonly gaps = new OpenGaps(GAPS_MAX);
  /** The last final block of the log. */
  private base: ChainPoint | null;
  /** The log after it. */
  private readonly tail: TailLink<Block>[] = [];
  /** What followed this slot became final before a gap above it was; null once that is long ago. */
  private doubtSlot: Slot | null = null;
  private networkFinalSlot: Slot | null = null;
  private steps: LogStep<Block>[] = [];
  private stopSentence: string | null = null;

  constructor(options: ContinuityOptions) {
    this.base = options.anchor;
    this.finality = options.finality;
    this.tailMax = options.tailMax ?? 512;
    this.contradictionBlocks = options.contradictionBlocks ?? 8;
    this.holdsBack = options.holdsBack ?? (() => false);
    this.keepsBlocks = options.keepsBlocks ?? false;
    this.held = new HeldBlocks(options.heldMax ?? 512);
    if (options.anchor !== null) this.gaps.hold(options.anchor);
    for (const gap of options.gaps ?? []) this.gaps.open(gap);
  }

  /** Newest block of the log, null before the first. */
  get head(): ChainPoint | null {
    return this.tail.at(-1) ?? this.base;
  }

  get finalSlot(): Slot | null {
    return this.base?.slot ?? null;
  }

  get tailLength(): number {
    return this.tail.length;
  }

  get heldBlocks(): number {
    return this.held.size;
  }

  /** Why the log cannot go on, in a sentence; null while it can. Nothing is accepted after it. */
  get stopReason(): string | null {
    return this.stopSentence;
  }

  /** Whether `accept` would take the block, were there room. */
  isNew(block: BlockLink): boolean {
    const isAfter = block.slot > (this.base?.slot ?? -1) && block.parentSlot < block.slot;
    const isKnown = this.held.has(block) || this.tail.some((link) => isSamePoint(link, block));
    return this.stopSentence === null && isAfter && !isKnown;
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
    this.remember(point, reason);
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
    return this.tail.filter(({ block }) => block !== null).length;
  }

  /** The block of this slot and hash is another than was told. Needs `keepsBlocks`. */
  replace(block: Block): readonly LogStep<Block>[] {
    return this.retell(block, () => this.held.add(block, this.head?.slot ?? -1));
  }

  /** Nobody knows what this block is: it is named missing, and what follows it stands behind a gap. */
  dispute(point: ChainPoint, reason: string): readonly LogStep<Block>[] {
    return this.retell(point, () => this.remember(point, reason));
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
      if (this.attachmentOf(branch).kind === 'open') points.set(keyOf(point), point);
    }
    return [...points.values()].sort((one, other) => one.slot - other.slot);
  }

  /** Blocks of slots that were named missing, each the next one of its gap. */
  wantedLate(): readonly ChainPoint[] {
    const inTail = this.tail.filter(({ gap }) => gap !== null).map(parentOf);
    return [...inTail.reverse(), ...this.gaps.wanted()];
  }

  private remember(point: ChainPoint, reason: string): void {
    this.lost.set(keyOf(point), { slot: point.slot, reason });
    for (const oldest of this.lost.keys()) {
      if (this.lost.size <= LOST_MAX) break;
      this.lost.delete(oldest);
    }
  }

  /** Takes a block back, and what follows it, to tell it again after `change`. */
  private retell(point: ChainPoint, change: () => void): readonly LogStep<Block>[] {
    if (this.stopSentence !== null) return [];
    const index = this.tail.findIndex((link) => isSamePoint(link, point));
    const at = this.tail[index - 1] ?? this.base;
    // Of a branch that lost, or waiting: it is told anew if it is ever followed.
    if (index < 0 && !this.held.has(point)) return [];
    if (index < 0 || at === null) this.held.drop(point);
    const behind = index < 0 ? [] : this.tail.slice(index + 1);
    if (index >= 0 && at !== null) this.undoTo(at);
    change();
    const headSlot = this.head?.slot ?? -1;
    for (const { block } of behind) if (block !== null) this.held.add(block, headSlot);
    return this.settle();
  }

  private takeLate(block: Block): Accepted<Block> {
    const steps = this.fill(block);
    return steps === null ? { verdict: 'late', steps: [] } : { verdict: 'taken', steps };
  }

  private fill(block: Block): LogStep<Block>[] | null {
    const filling = this.gaps.fill(block);
    if (filling === null) return null;
    const steps: LogStep<Block>[] = [];
    if (filling.dropped !== null) steps.push({ kind: 'dropped', ...filling.dropped });
    steps.push({ kind: 'block', block });
    if (filling.skipped !== null) steps.push({ kind: 'skipped', ...filling.skipped });
    return steps;
  }

  private take(block: Block): BlockVerdict {
    if (block.parentSlot >= block.slot) return 'refused';
    if (this.base === null) {
      this.base = parentOf(block);
      this.gaps.hold(this.base);
    }
    if (block.slot <= this.base.slot) return isSamePoint(block, this.base) ? 'known' : 'late';
    if (this.held.has(block) || this.tail.some((link) => isSamePoint(link, block))) return 'known';
    return this.held.add(block, this.head?.slot ?? -1) ? 'taken' : 'no-room';
  }

  private settle(): readonly LogStep<Block>[] {
    this.finalise();
    this.reopenGap();
    while (this.stopSentence === null) {
      const branches = this.winningBranches();
      const next = this.attachedBranch(branches) ?? this.lostBranch(branches);
      if (next === null) {
        this.checkContradictions(branches);
        break;
      }
      this.follow(next);
    }
    const { steps } = this;
    this.steps = [];
    return steps;
  }

  /**
   * A block came that a gap of the tail misses: what stands behind the gap waits again, to follow it
   * from wherever it builds on. Where that is before what is final, the gap is filled when it is final.
   */
  private reopenGap(): void {
    const index = this.tail.findIndex((link) => link.gap !== null && this.isMendable(link));
    if (index < 0) return;
    const at = this.tail[index - 1] ?? this.base;
    const behind = this.tail.slice(index);
    if (at !== null) this.undoTo(at);
    for (const { block } of behind) if (block !== null) this.held.add(block, at?.slot ?? -1);
  }

  private isMendable(link: BlockLink): boolean {
    const missed = this.held.get(parentOf(link));
    if (missed === null || this.base === null) return false;
    const parent = parentOf(this.held.rootOf(missed));
    return parent.slot > this.base.slot || isSamePoint(parent, this.base);
  }

  /** Branches whose tip lies beyond the head. */
  private winningBranches(): HeldBranch<Block>[] {
    const headSlot = this.head?.slot ?? -1;
    return this.held.branches().filter(({ tip }) => tip.slot > headSlot);
  }

  /** The one with the highest tip. */
  private attachedBranch(branches: readonly HeldBranch<Block>[]): NextBranch<Block> | null {
    let best: NextBranch<Block> | null = null;
    for (const branch of branches) {
      const attachment = this.attachmentOf(branch);
      if (attachment.kind !== 'attached') continue;
      if (best === null || branch.tip.slot > best.branch.tip.slot) {
        best = { branch, at: attachment.at, gap: null };
      }
    }
    return best;
  }

  /** The lowest one, since others may follow it. What lies between log and branch is named missing. */
  private lostBranch(branches: readonly HeldBranch<Block>[]): NextBranch<Block> | null {
    for (const branch of branches) {
      const attachment = this.attachmentOf(branch);
      if (attachment.kind !== 'lost') continue;
      const to = branch.root.parentSlot;
      const at = this.tail.findLast(({ slot }) => slot < to) ?? (this.base as ChainPoint);
      const from = (at.slot + 1) as Slot;
      return { branch, at, gap: { kind: 'missing', from, to, reason: attachment.reason } };
    }
    return null;
  }

  private attachmentOf({ root }: HeldBranch<Block>): Attachment {
    const parent = parentOf(root);
    const { base } = this;
    const at = [...(base === null ? [] : [base]), ...this.tail].find((point) =>
      isSamePoint(point, parent),
    );
    if (at !== undefined) return { kind: 'attached', at };
    if (base !== null && parent.slot <= base.slot) return { kind: 'contradiction' };
    const lost = this.lost.get(keyOf(parent));
    return lost === undefined ? { kind: 'open' } : { kind: 'lost', reason: lost.reason };
  }

  private follow({ branch, at, gap }: NextBranch<Block>): void {
    this.undoTo(at);
    if (gap !== null) this.steps.push(gap);
    let opened = gap === null ? null : this.openGap(gap.from, parentOf(branch.root));
    const isBehindGap = opened !== null || this.tail.some((link) => link.gap !== null);
    for (const block of this.held.take(branch)) {
      const { slot, blockhash, parentSlot, previousBlockhash } = block;
      this.steps.push({ kind: 'block', block });
      const link = { slot, blockhash, parentSlot, previousBlockhash };
      const isKept = isBehindGap || this.keepsBlocks;
      this.tail.push({ ...link, gap: opened, block: isKept ? block : null });
      opened = null;
      this.lost.delete(keyOf(block));
      this.finalise();
    }
    if (this.tail.length > this.tailMax) {
      this.stopSentence = `No slot after ${this.base?.slot} became final in ${this.tail.length} blocks, more than the ${this.tailMax} that are kept: finality has stopped or is misread.`;
    }
  }

  private openGap(from: Slot, expected: ChainPoint): OpenGap {
    const { base, sureSlot } = this;
    const final = this.gaps.heldFrom(sureSlot).filter(({ slot }) => slot < (base?.slot ?? 0));
    const points = [...final, ...(base === null ? [] : [base]), ...this.tail];
    const below = points.map(({ slot, blockhash }) => ({ slot, blockhash }));
    return { from, below, expected };
  }

  /** The log stays up to here. Behind it gaps may turn out to begin elsewhere, even where it is final. */
  private get sureSlot(): Slot {
    const inTail = this.tail.flatMap(({ gap }) => gap?.below[0]?.slot ?? []);
    const sure = [this.base?.slot ?? -1, this.doubtSlot ?? [], ...this.gaps.sureSlots, ...inTail];
    return Math.min(...sure.flat()) as Slot;
  }

  private undoTo({ slot, blockhash }: ChainPoint): void {
    if (this.head?.slot === slot) return;
    while ((this.tail.at(-1)?.slot ?? -1) > slot) this.tail.pop();
    this.steps.push({ kind: 'undo', toSlot: slot, toBlockhash: blockhash });
  }

  private finalise(): void {
    const { head, networkFinalSlot } = this;
    if (head === null) return;
    const finalSlot = this.finality.finalSlot({ headSlot: head.slot, networkFinalSlot });
    let last: TailLink<Block> | null = null;
    for (let first = this.tail[0]; first !== undefined && first.slot <= finalSlot; ) {
      if (this.holdsBack(first)) break;
      this.proveSkipped(first);
      if (first.gap !== null) this.gaps.open(first.gap);
      this.gaps.hold(first);
      this.noteDoubt();
      last = first;
      this.tail.shift();
      first = this.tail[0];
    }
    if (last === null) return;
    const { slot, blockhash } = last;
    this.base = { slot, blockhash };
    this.steps.push({ kind: 'final', slot });
    this.fillFromHeld();
    this.held.dropUpTo(slot);
    for (const [key, lost] of this.lost) if (lost.slot <= slot) this.lost.delete(key);
  }

  /** A gap of the tail may be taken back and named again: what it left in doubt stays so. */
  private noteDoubt(): void {
    if (this.tail.some(({ gap }) => gap !== null)) this.doubtSlot = this.sureSlot;
    const oldest = this.gaps.oldestSlot ?? -1;
    if (this.doubtSlot !== null && this.doubtSlot < oldest) this.doubtSlot = null;
  }

  /** Gaps that just became final may miss what waits already. */
  private fillFromHeld(): void {
    for (let steps: readonly LogStep<Block>[] | null = []; steps !== null; ) {
      this.steps.push(...steps);
      const point = this.gaps.wanted().find((missed) => this.held.has(missed));
      const block = point === undefined ? null : this.held.get(point);
      steps = block === null ? null : this.fill(block);
    }
  }

  private proveSkipped({ slot, parentSlot }: BlockLink): void {
    const [from, to] = [(parentSlot + 1) as Slot, (slot - 1) as Slot];
    if (from <= to) this.steps.push({ kind: 'skipped', from, to });
  }

  private checkContradictions(branches: readonly HeldBranch<Block>[]): void {
    const { sureSlot } = this;
    const isAnyInDoubt = sureSlot < (this.base?.slot ?? -1);
    const denying = branches.find((branch) => {
      // A dropped branch may grow from blocks that a gap keeps from the log.
      const isInDoubt = isAnyInDoubt && branch.root.parentSlot >= sureSlot;
      const blocksMin = this.contradictionBlocks * (isInDoubt ? DOUBT_FACTOR : 1);
      return branch.length >= blocksMin && this.attachmentOf(branch).kind === 'contradiction';
    });
    if (denying === undefined) return;
    const { root, tip } = denying;
    this.stopSentence = `The chain of block ${tip.slot} leaves the log before slot ${this.base?.slot}, which is final (its parent is slot ${root.parentSlot}, ${root.previousBlockhash}): a fork deeper than finality. Compare with a second node; nothing is written until the log is rebuilt or finality waits for more slots.`;
  }
}

interface NextBranch<Block> {
  readonly branch: HeldBranch<Block>;
  /** The block of the log it goes on from. */
  readonly at: ChainPoint;
  readonly gap: Extract<LogStep<Block>, { kind: 'missing' }> | null;
}

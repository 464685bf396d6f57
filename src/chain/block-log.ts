import type { Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, parentOf } from './block-link.ts';
import type { LogStep } from './log-step.ts';
import { type OpenGap, OpenGaps } from './open-gaps.ts';
import type { PendingBlocks } from './pending-blocks.ts';

/** A block in the log that is not final. */
export interface TailLink<Block> extends BlockLink {
  /** Slots named missing right before it, null for none. */
  readonly gap: OpenGap | null;
  /** Kept where it may be told again: behind a gap, which may turn out to begin elsewhere, or after a
   * block that may be replaced. Null where nothing is in doubt. */
  readonly block: Block | null;
}

/** Gaps that are still asked for. */
const GAPS_MAX = 1_024;

/**
 * The log itself: its last final block, the tail after it that may still be taken back, and the gaps
 * that are still to be filled. Every change leaves the steps that tell of it.
 */
export class BlockLog<Block extends BlockLink> {
  private readonly gaps = new OpenGaps(GAPS_MAX);
  private readonly links: TailLink<Block>[] = [];
  private lastFinal: ChainPoint | null;
  /** What followed this slot became final before a gap above it was; null once that is long ago. */
  private suspectSlot: Slot | null = null;
  private steps: LogStep<Block>[] = [];

  /** An `anchor` of null: the log is empty until `begin`. Gaps lie before the anchor. */
  constructor(anchor: ChainPoint | null, gaps: readonly OpenGap[]) {
    this.lastFinal = anchor;
    if (anchor !== null) this.gaps.hold(anchor);
    for (const gap of gaps) this.gaps.open(gap);
  }

  /** The last final block of the log. */
  get base(): ChainPoint | null {
    return this.lastFinal;
  }

  /** The log after its base, ascending. */
  get tail(): readonly TailLink<Block>[] {
    return this.links;
  }

  /** Newest block of the log, null before the first. */
  get head(): ChainPoint | null {
    return this.links.at(-1) ?? this.lastFinal;
  }

  /** Whether slots of the tail are named missing. */
  get isTailBroken(): boolean {
    return this.links.some(({ gap }) => gap !== null);
  }

  /** The log stays up to here. Behind it gaps may turn out to begin elsewhere, even where it is final. */
  get undoubtedSlot(): Slot {
    const inTail = this.links.flatMap(({ gap }) => gap?.below[0]?.slot ?? []);
    const base = this.lastFinal?.slot ?? -1;
    const sure = [base, this.suspectSlot ?? [], ...this.gaps.undoubtedSlots, ...inTail];
    return Math.min(...sure.flat()) as Slot;
  }

  /** Base or block of the tail that this point names, null for none. */
  find(point: ChainPoint): ChainPoint | null {
    if (this.lastFinal !== null && isSamePoint(this.lastFinal, point)) return this.lastFinal;
    return this.links.find((link) => isSamePoint(link, point)) ?? null;
  }

  /** Where the point stands in the tail; below zero when it does not. */
  tailIndexOf(point: ChainPoint): number {
    return this.links.findIndex((link) => isSamePoint(link, point));
  }

  /** Blocks of slots that were named missing, each the next one of its gap. */
  wanted(): readonly ChainPoint[] {
    const inTail = this.links.filter(({ gap }) => gap !== null).map(parentOf);
    return [...inTail.reverse(), ...this.gaps.wanted()];
  }

  /** The log goes on from here. */
  begin(base: ChainPoint): void {
    this.lastFinal = base;
    this.gaps.hold(base);
  }

  /** Names slots after the head missing; `expected` is the parent of the block that comes next. */
  openGap(step: Extract<LogStep<Block>, { kind: 'missing' }>, expected: ChainPoint): OpenGap {
    this.steps.push(step);
    const { lastFinal, undoubtedSlot } = this;
    const final = this.gaps
      .heldFrom(undoubtedSlot)
      .filter(({ slot }) => slot < (lastFinal?.slot ?? 0));
    const points = [...final, ...(lastFinal === null ? [] : [lastFinal]), ...this.links];
    const below = points.map(({ slot, blockhash }) => ({ slot, blockhash }));
    return { from: step.from, below, expected };
  }

  /** The block follows the head, or the gap that was opened right before it. */
  add(block: Block, gap: OpenGap | null, isKept: boolean): void {
    const { slot, blockhash, parentSlot, previousBlockhash } = block;
    this.steps.push({ kind: 'block', block });
    const link = { slot, blockhash, parentSlot, previousBlockhash };
    this.links.push({ ...link, gap, block: isKept ? block : null });
  }

  /** Fills a gap before the base, if one misses this block; otherwise false, and nothing changes. */
  fill(block: Block): boolean {
    const filling = this.gaps.fill(block);
    if (filling === null) return false;
    if (filling.dropped !== null) this.steps.push({ kind: 'dropped', ...filling.dropped });
    this.steps.push({ kind: 'block', block });
    if (filling.skipped !== null) this.steps.push({ kind: 'skipped', ...filling.skipped });
    return true;
  }

  /** Fills gaps before the base with blocks that wait already. */
  fillFrom(held: PendingBlocks<Block>): void {
    for (let isFilled = true; isFilled; ) {
      const point = this.gaps.wanted().find((missed) => held.has(missed));
      const block = point === undefined ? null : held.get(point);
      isFilled = block !== null && this.fill(block);
    }
  }

  /** Takes back what follows this block of the log. */
  undoTo({ slot, blockhash }: ChainPoint): void {
    if (this.head?.slot === slot) return;
    while ((this.links.at(-1)?.slot ?? -1) > slot) this.links.pop();
    this.steps.push({ kind: 'undo', toSlot: slot, toBlockhash: blockhash });
  }

  /** Takes back a block of the tail and what follows it, and gives it out. */
  takeBackFrom(index: number): readonly TailLink<Block>[] {
    const at = this.links[index - 1] ?? this.lastFinal;
    const behind = this.links.slice(index);
    if (at !== null) this.undoTo(at);
    return behind;
  }

  /**
   * Makes blocks of the tail final, up to a slot and before the first that is held back. The slot of
   * the last of them, null for none.
   */
  finalise(finalSlot: number, holdsBack: (point: ChainPoint) => boolean): Slot | null {
    let last: TailLink<Block> | null = null;
    for (let first = this.links[0]; first !== undefined && first.slot <= finalSlot; ) {
      if (holdsBack(first)) break;
      this.proveSkipped(first);
      if (first.gap !== null) this.gaps.open(first.gap);
      this.gaps.hold(first);
      this.noteSuspicion();
      last = first;
      this.links.shift();
      first = this.links[0];
    }
    if (last === null) return null;
    const { slot, blockhash } = last;
    this.lastFinal = { slot, blockhash };
    this.steps.push({ kind: 'final', slot });
    return slot;
  }

  /** Steps since they were taken last. */
  takeSteps(): readonly LogStep<Block>[] {
    const { steps } = this;
    this.steps = [];
    return steps;
  }

  /** A gap of the tail may be taken back and named again: what it left in doubt stays so. */
  private noteSuspicion(): void {
    if (this.isTailBroken) this.suspectSlot = this.undoubtedSlot;
    const oldest = this.gaps.oldestSlot ?? -1;
    if (this.suspectSlot !== null && this.suspectSlot < oldest) this.suspectSlot = null;
  }

  private proveSkipped({ slot, parentSlot }: BlockLink): void {
    const [from, to] = [(parentSlot + 1) as Slot, (slot - 1) as Slot];
    if (from <= to) this.steps.push({ kind: 'skipped', from, to });
  }
}

import { asSlot, type Slot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, isSamePoint, parentOf } from './block-link.ts';
import type { LogStep } from './log-step.ts';
import { type OpenGap, OpenGaps } from './open-gaps.ts';
import type { PendingBlocks } from './pending-blocks.ts';

/** A block of the log that is not final yet. */
export interface TailLink<Block> extends BlockLink {
  /** The gap right before it, null for none. */
  readonly gap: OpenGap | null;
  /**
   * Kept where it may be emitted again: after a gap, which may turn out to begin elsewhere, or
   * where a block may be replaced. Otherwise null.
   */
  readonly block: Block | null;
}

/** Bound on gaps whose blocks are still requested. */
const GAPS_MAX = 1_024;

/**
 * The log itself: its last final block, the tail after it, which may still be reverted, and the
 * gaps that are still to be filled. Every change produces the steps that describe it.
 */
export class BlockLog<Block extends BlockLink> {
  private readonly gaps = new OpenGaps(GAPS_MAX);
  private readonly links: TailLink<Block>[] = [];
  private lastFinal: ChainPoint | null;
  /**
   * What followed this slot became final before a gap above it did. Null once that is no longer
   * remembered.
   */
  private suspectSlot: number | null = null;
  private steps: LogStep<Block>[] = [];

  /** With a null `anchor` the log is empty until `begin`. Gaps lie before the anchor. */
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

  /** Whether the tail contains slots reported missing. */
  get isTailBroken(): boolean {
    return this.links.some(({ gap }) => gap !== null);
  }

  /**
   * The log is certain up to this slot. After it a gap may turn out to begin elsewhere, even among
   * final slots.
   */
  get certainSlot(): number {
    const inTail = this.links.flatMap(({ gap }) => gap?.below[0]?.slot ?? []);
    const base = this.lastFinal?.slot ?? -1;
    const candidates = [base, this.suspectSlot ?? [], ...this.gaps.certainSlots, ...inTail];
    return Math.min(...candidates.flat());
  }

  /** The base or the block of the tail that equals this point, null for none. */
  find(point: ChainPoint): ChainPoint | null {
    if (this.lastFinal !== null && isSamePoint(this.lastFinal, point)) return this.lastFinal;
    return this.links.find((link) => isSamePoint(link, point)) ?? null;
  }

  /** Index of the point in the tail; negative when it is not there. */
  tailIndexOf(point: ChainPoint): number {
    return this.links.findIndex((link) => isSamePoint(link, point));
  }

  /** The next missing block of each gap. */
  wanted(): readonly ChainPoint[] {
    const inTail = this.links.filter(({ gap }) => gap !== null).map(parentOf);
    return [...inTail.reverse(), ...this.gaps.wanted()];
  }

  /** Sets the base from which the log continues. */
  begin(base: ChainPoint): void {
    this.lastFinal = base;
    this.gaps.hold(base);
  }

  /** Reports slots after the head as missing; `expected` is the parent of the next block. */
  openGap(step: Extract<LogStep<Block>, { kind: 'missing' }>, expected: ChainPoint): OpenGap {
    this.steps.push(step);
    const { lastFinal, certainSlot } = this;
    const final = this.gaps
      .rememberedFrom(certainSlot)
      .filter(({ slot }) => slot < (lastFinal?.slot ?? 0));
    const points = [...final, ...(lastFinal === null ? [] : [lastFinal]), ...this.links];
    const below = points.map(({ slot, blockhash }) => ({ slot, blockhash }));
    return { from: step.from, below, expected };
  }

  /** Appends a block after the head, or after the gap that was opened right before it. */
  add(block: Block, gap: OpenGap | null, isKept: boolean): void {
    const { slot, blockhash, parentSlot, previousBlockhash } = block;
    this.steps.push({ kind: 'block', block });
    const link = { slot, blockhash, parentSlot, previousBlockhash };
    this.links.push({ ...link, gap, block: isKept ? block : null });
  }

  /**
   * Fills a gap before the base if one misses this block; otherwise returns false and changes
   * nothing.
   */
  fill(block: Block): boolean {
    const filling = this.gaps.fill(block);
    if (filling === null) return false;
    if (filling.dropped !== null) this.steps.push({ kind: 'dropped', ...filling.dropped });
    this.steps.push({ kind: 'block', block });
    if (filling.skipped !== null) this.steps.push({ kind: 'skipped', ...filling.skipped });
    return true;
  }

  /** Fills gaps before the base with pending blocks. */
  fillFrom(pending: PendingBlocks<Block>): void {
    for (let isFilled = true; isFilled; ) {
      const point = this.gaps.wanted().find((missed) => pending.has(missed));
      const block = point === undefined ? null : pending.get(point);
      isFilled = block !== null && this.fill(block);
    }
  }

  /** Reverts everything after this block of the log. */
  undoTo({ slot, blockhash }: ChainPoint): void {
    if (this.head?.slot === slot) return;
    while ((this.links.at(-1)?.slot ?? -1) > slot) this.links.pop();
    this.steps.push({ kind: 'undo', toSlot: slot, toBlockhash: blockhash });
  }

  /** Reverts a block of the tail and everything after it, and returns the reverted links. */
  revertFrom(index: number): readonly TailLink<Block>[] {
    const at = this.links[index - 1] ?? this.lastFinal;
    const reverted = this.links.slice(index);
    if (at !== null) this.undoTo(at);
    return reverted;
  }

  /**
   * Makes blocks of the tail final, up to `finalSlot` and before the first block for which
   * `holdsPending` is true. Returns the slot of the last one, null for none.
   */
  finalise(finalSlot: number, holdsPending: (point: ChainPoint) => boolean): Slot | null {
    let last: TailLink<Block> | null = null;
    for (let first = this.links[0]; first !== undefined && first.slot <= finalSlot; ) {
      if (holdsPending(first)) break;
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

  /** Returns the steps since the previous call. */
  takeSteps(): readonly LogStep<Block>[] {
    const { steps } = this;
    this.steps = [];
    return steps;
  }

  /**
   * A gap of the tail may be reverted and reported again: the slots it makes uncertain stay
   * uncertain.
   */
  private noteSuspicion(): void {
    if (this.isTailBroken) this.suspectSlot = this.certainSlot;
    const oldest = this.gaps.oldestSlot ?? -1;
    if (this.suspectSlot !== null && this.suspectSlot < oldest) this.suspectSlot = null;
  }

  private proveSkipped({ slot, parentSlot }: BlockLink): void {
    if (slot - parentSlot < 2) return;
    this.steps.push({ kind: 'skipped', from: asSlot(parentSlot + 1), to: asSlot(slot - 1) });
  }
}

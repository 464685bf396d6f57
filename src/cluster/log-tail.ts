import { type ChainPoint, isSamePoint } from '../chain/block-link.ts';
import type { Slot } from '../model/units.ts';
import type { HeadStep, StepHead } from './step-head.ts';

/** Part of the log after its last final block: a block, or slots that no node could supply. */
export type TailEntry =
  | {
      readonly kind: 'block';
      readonly point: ChainPoint;
      readonly parent: ChainPoint;
      /** The last change of the control plane that counts from the block on. */
      readonly controlSeq: number;
    }
  | { readonly kind: 'missing'; readonly from: Slot; readonly to: Slot; readonly reason: string };

/** Where a log of steps is, as its heads say. The same for every process that read them. */
export class LogTail {
  private lastFinal: ChainPoint | null = null;
  private readonly after: TailEntry[] = [];
  private late = 0;
  private last = 0;
  private finalControl = 0;
  private isBegun = false;
  private skipped: { readonly from: Slot; readonly to: Slot } | null = null;

  /** The last final block; null before the first. */
  get final(): ChainPoint | null {
    return this.lastFinal;
  }

  /** What may still be reverted, in order. */
  get entries(): readonly TailEntry[] {
    return this.after;
  }

  /** Sequence of the last step that changed final slots; 0 before the first. */
  get lateSeq(): number {
    return this.late;
  }

  /** Sequence of the last message; 0 before the first. */
  get lastSeq(): number {
    return this.last;
  }

  /** Sequence of the last change of the control plane that counts after the head. */
  get controlSeq(): number {
    return this.controlAt(Number.POSITIVE_INFINITY);
  }

  /** The same after the last final block: it never falls. */
  get finalControlSeq(): number {
    return this.finalControl;
  }

  /** The run of slots that was last reported as skipped. */
  get lastSkipped(): { readonly from: Slot; readonly to: Slot } | null {
    return this.skipped;
  }

  /** The last block of the log that may be reverted, or the last final one. */
  get head(): ChainPoint | null {
    const block = this.after.findLast((entry) => entry.kind === 'block');
    return block?.point ?? this.lastFinal;
  }

  /** The head that a step would have as the next message; `controlSeq` is that of a block. */
  headOf(step: HeadStep, writer: string, controlSeq: number = this.controlAfter(step)): StepHead {
    const lateSeq = this.isLate(step) ? this.last + 1 : this.late;
    return { step, final: this.finalAfter(step), lateSeq, writer, controlSeq };
  }

  /** Whether a block follows all others, and so may bring changes of the control plane. */
  isNewest({ slot }: { readonly slot: Slot }): boolean {
    return slot > (this.lastFinal?.slot ?? -1);
  }

  /** The next message; one without a head changes nothing but the position. */
  pass(seq: number, head: StepHead | null): void {
    this.last = seq;
    if (head === null) return;
    const { step } = head;
    if (step.kind === 'facts' && !this.isLate(step)) {
      const { slot, blockhash, parentSlot, previousBlockhash } = step;
      const parent = { slot: parentSlot, blockhash: previousBlockhash };
      const controlSeq = head.controlSeq ?? this.controlSeq;
      this.after.push({ kind: 'block', point: { slot, blockhash }, parent, controlSeq });
    } else if (step.kind === 'missing' && step.from > (this.lastFinal?.slot ?? -1)) {
      this.after.push(step);
    } else if (step.kind === 'undo') this.cut((slot) => slot <= step.toSlot);
    else if (step.kind === 'final') this.finalise(step.slot);
    else if (step.kind === 'skipped') this.skipped = step;
    // A process that began to read in the middle learns these from the first head.
    this.lastFinal = head.final;
    this.late = head.lateSeq;
    if (!this.isBegun && step.kind !== 'facts') this.finalControl = head.controlSeq ?? 0;
    this.isBegun = true;
  }

  private controlAfter(step: HeadStep): number {
    return this.controlAt(step.kind === 'undo' ? step.toSlot : Number.POSITIVE_INFINITY);
  }

  /** The last change that counts from the last block up to a slot on. */
  private controlAt(slot: number): number {
    const block = this.after.findLast(
      (entry) => entry.kind === 'block' && entry.point.slot <= slot,
    );
    return block?.kind === 'block' ? block.controlSeq : this.finalControl;
  }

  private finalise(final: Slot): void {
    for (const entry of this.after) {
      if (entry.kind === 'block' && entry.point.slot <= final) this.finalControl = entry.controlSeq;
    }
    this.cut((slot) => slot > final);
  }

  /** Index in `entries` of a block; -1 if it is not there. */
  indexOf(point: ChainPoint): number {
    return this.after.findIndex(
      (entry) => entry.kind === 'block' && isSamePoint(entry.point, point),
    );
  }

  private isLate(step: HeadStep): boolean {
    if (step.kind === 'dropped') return true;
    return step.kind === 'facts' && step.slot <= (this.lastFinal?.slot ?? -1);
  }

  private finalAfter(step: HeadStep): ChainPoint | null {
    if (step.kind !== 'final' || step.slot <= (this.lastFinal?.slot ?? -1)) return this.lastFinal;
    const entry = this.after.find((one) => one.kind === 'block' && one.point.slot === step.slot);
    return entry?.kind === 'block' ? entry.point : this.lastFinal;
  }

  private cut(isKept: (slot: Slot) => boolean): void {
    const kept = this.after.filter((entry) =>
      isKept(entry.kind === 'block' ? entry.point.slot : entry.to),
    );
    this.after.splice(0, this.after.length, ...kept);
  }
}

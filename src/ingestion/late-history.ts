import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { gapsWithin, type SlotGap, type SlotMark, type SlotRun } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { Fold } from './fold.ts';
import type { IngestionRun } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { isOtherBlock, lateFacts, otherBlockProblem, type SlotItem, slotOf } from './late-facts.ts';
import type { LateSlots } from './late-slots.ts';
import type { PendingMarks } from './pending-marks.ts';
import { markOfDropped, marksOfLate } from './slot-marks.ts';

/** Dependencies of late slots. */
export interface HistorySurroundings {
  readonly log: IngestionStore['log'];
  readonly removal: IngestionStore['removal'];
  readonly marks: PendingMarks;
  readonly slots: LateSlots;
  /** The current fold. */
  readonly fold: () => Fold;
  readonly gaps: () => readonly SlotGap[];
  /** Resolves when everything final is stored. */
  readonly flush: () => Promise<void>;
  /** Records, before the log changes, that it must be refolded from a slot on, with `marks`. */
  readonly noteDirty: (from: Slot, marks?: readonly SlotMark[]) => Promise<void>;
  readonly nowMs: () => number;
}

/**
 * Handles records of slots before the final slot: new records, and evidence that a stored block is
 * on a lost branch. Both change the log, which is then refolded.
 */
export class LateHistory {
  readonly counts = { lateSlots: 0, droppedSlots: 0 };
  private readonly surroundings: HistorySurroundings;

  constructor(surroundings: HistorySurroundings) {
    this.surroundings = surroundings;
  }

  /**
   * The facts to store for the slot; null if nothing changes, or if another block of it is stored,
   * which is reported to `onProblem`.
   */
  async take(
    item: SlotItem,
    { bundles, hooks: { onSlot } }: IngestionRun,
    onProblem: (problem: SourceProblem) => void,
  ): Promise<SlotFacts | null> {
    const { marks: pending, gaps, noteDirty, nowMs } = this.surroundings;
    const slot = slotOf(item);
    let held = await this.findHeld(slot);
    if (isOtherBlock(item, held)) {
      if (gapsWithin(gaps(), { from: slot, to: slot }).length === 0) {
        onProblem(otherBlockProblem(item, held));
        return null;
      }
      await this.drop({ from: slot, to: slot });
      held = null;
    }
    const late = lateFacts(item, held);
    if (late === null) return null;
    const facts = await bundles.attach(late);
    const marks = marksOfLate(facts, nowMs());
    for (const mark of marks) await this.dropDisproven(mark);
    onSlot?.(facts);
    // Recorded before the log row exists: a crash in between costs a refold and loses no row.
    await noteDirty(slot);
    this.surroundings.slots.add(facts);
    this.counts.lateSlots++;
    pending.settle(marks);
    return facts;
  }

  /** Records final slots without a block. */
  async note(mark: SlotMark): Promise<void> {
    await this.dropDisproven(mark);
    this.surroundings.marks.settle([mark]);
  }

  /** Removes final slots from the log, which is then refolded without them. */
  async drop({ from, to }: SlotRun): Promise<void> {
    const { flush, noteDirty, removal, marks, nowMs } = this.surroundings;
    await flush();
    const mark = markOfDropped({ from, to }, nowMs());
    // Recorded before any row is removed: a crash in between costs a refold, and the slots stay
    // marked.
    await noteDirty(from, [{ ...mark, isDisproof: true }]);
    this.surroundings.slots.drop(mark);
    marks.changed();
    await removal.remove(from, to);
    this.counts.droppedSlots += to - from + 1;
  }

  private async findHeld(slot: Slot): Promise<SlotFacts | null> {
    const late = this.surroundings.slots.find(slot);
    if (late !== null) return late;
    const { fold, log } = this.surroundings;
    const unwritten = fold().unwritten.find(({ facts }) => facts.slot === slot);
    return unwritten?.facts ?? (await log.find(slot));
  }

  /** Removes stored blocks of suspected slots that turn out to be skipped. */
  private async dropDisproven({ state, from, to }: SlotMark): Promise<void> {
    if (state !== 'skipped') return;
    const { fold, gaps } = this.surroundings;
    const lastFinal = Math.min(to, fold().finalSlot);
    if (lastFinal < from) return;
    for (const run of gapsWithin(gaps(), { from, to: asSlot(lastFinal) })) {
      if (await this.holdsBlock(run)) await this.drop(run);
    }
  }

  private async holdsBlock({ from, to }: SlotRun): Promise<boolean> {
    const { fold, log } = this.surroundings;
    const matches = ({ slot, isWhole }: SlotFacts) => isWhole && slot >= from && slot <= to;
    if (fold().unwritten.some(({ facts }) => matches(facts))) return true;
    for await (const facts of log.read(from)) {
      if (facts.slot > to) return false;
      if (matches(facts)) return true;
    }
    return false;
  }
}

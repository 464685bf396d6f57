import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { gapsWithin, type SlotGap, type SlotMark, type SlotRun } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import type { Fold } from './fold.ts';
import type { IngestionRun } from './ingestion-run.ts';
import type { IngestionStore } from './ingestion-store.ts';
import { isOtherBlock, lateFacts, otherBlockProblem, type SlotItem, slotOf } from './late-facts.ts';
import type { LateSlots } from './late-slots.ts';
import type { PendingMarks } from './pending-marks.ts';
import { markOfDropped, marksOfLate } from './slot-marks.ts';

/** What late slots change, and whom they need for it. */
export interface HistorySurroundings {
  readonly log: IngestionStore['log'];
  readonly removal: IngestionStore['removal'];
  readonly marks: PendingMarks;
  readonly slots: LateSlots;
  /** The one that holds the current state. */
  readonly fold: () => Fold;
  readonly gaps: () => readonly SlotGap[];
  /** Throws away what is being made of the log as it was. */
  readonly cancelShadow: () => void;
  /** Until the store holds everything that is final. */
  readonly flush: () => Promise<void>;
  /** Notes, before anything changes, that the log is to be folded again; with `marks` in one step. */
  readonly noteDirty: (marks: readonly SlotMark[]) => Promise<void>;
  readonly nowMs: () => number;
}

/**
 * What comes of final slots when later ones are folded already: records of them that are new, and
 * news that some never were. Both change the log, which is then folded again.
 */
export class LateHistory {
  readonly counts = { lateSlots: 0, droppedSlots: 0 };
  private readonly surroundings: HistorySurroundings;

  constructor(surroundings: HistorySurroundings) {
    this.surroundings = surroundings;
  }

  /**
   * What the log is to say of the slot; null when it says it already, or holds another block of it,
   * which `onProblem` is told.
   */
  async take(
    item: SlotItem,
    { bundles, hooks: { onSlot } }: IngestionRun,
    onProblem: (problem: SourceProblem) => void,
  ): Promise<SlotFacts | null> {
    const { marks: pending, gaps, cancelShadow, noteDirty, nowMs } = this.surroundings;
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
    cancelShadow();
    // Said before the log row exists, so that a kill in between costs a re-fold and no row.
    await noteDirty([]);
    this.surroundings.slots.add(facts);
    this.counts.lateSlots++;
    pending.settle(marks);
    return facts;
  }

  /** Takes in what was learned of final slots without their block. */
  async note(mark: SlotMark): Promise<void> {
    await this.dropDisproven(mark);
    this.surroundings.marks.settle([mark]);
  }

  /** Takes final slots out of the log, which is then folded again without them. */
  async drop({ from, to }: SlotRun): Promise<void> {
    const { cancelShadow, flush, noteDirty, removal, marks, nowMs } = this.surroundings;
    cancelShadow();
    await flush();
    const mark = markOfDropped({ from, to }, nowMs());
    // Said before any row goes, so that a kill in between costs a re-fold and the slots stay named.
    await noteDirty([{ ...mark, isDisproof: true }]);
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

  /** Takes held blocks of slots out that are named missing for a doubt, and turn out to be skipped. */
  private async dropDisproven({ state, from, to }: SlotMark): Promise<void> {
    if (state !== 'skipped') return;
    const { fold, gaps } = this.surroundings;
    const lastFinal = Math.min(to, fold().finalSlot) as Slot;
    for (const run of gapsWithin(gaps(), { from, to: lastFinal })) {
      if (await this.holdsBlock(run)) await this.drop(run);
    }
  }

  private async holdsBlock({ from, to }: SlotRun): Promise<boolean> {
    const { fold, log } = this.surroundings;
    const isIt = ({ slot, isWhole }: SlotFacts) => isWhole && slot >= from && slot <= to;
    if (fold().unwritten.some(({ facts }) => isIt(facts))) return true;
    for await (const facts of log.read(from)) {
      if (facts.slot > to) return false;
      if (isIt(facts)) return true;
    }
    return false;
  }
}

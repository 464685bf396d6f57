import type { SourceProblem } from '../model/errors.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { gapsWithin, type SlotGap, type SlotMark, type SlotRun } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { ChangeableSlots } from './changeable-slots.ts';
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
  readonly logStart: IngestionStore['logStart'];
  readonly removal: IngestionStore['removal'];
  readonly marks: PendingMarks;
  readonly slots: LateSlots;
  readonly changeable: ChangeableSlots;
  /** The states of slots according to the ledger. */
  readonly ranges: IngestionStore['gaps']['ranges'];
  /** The current fold. */
  readonly fold: () => Fold;
  readonly gaps: () => readonly SlotGap[];
  /** Resolves when everything final is stored. */
  readonly flush: () => Promise<void>;
  /** Records, before the log changes, that it must be refolded from a slot on, with `marks`. */
  readonly noteDirty: (from: Slot, marks?: readonly SlotMark[]) => Promise<void>;
  readonly nowMs: () => number;
}

type OnProblem = (problem: SourceProblem) => void;

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
   * The facts to store for the slot; null if nothing changes, or if it cannot be added, which is
   * reported to `onProblem`: another block of it is stored, or it is too old.
   */
  async take(
    item: SlotItem,
    { bundles, hooks: { onSlot } }: IngestionRun,
    onProblem: OnProblem,
  ): Promise<SlotFacts | null> {
    const { marks: pending, gaps, noteDirty, nowMs } = this.surroundings;
    const slot = slotOf(item);
    let held = await this.findHeld(slot);
    const refusal = await this.surroundings.changeable.refusalOf({ from: slot, to: slot });
    if (refusal !== null) {
      if (!this.isKnown(item, held)) onProblem(refusal);
      return null;
    }
    if (isOtherBlock(item, held)) {
      if (gapsWithin(gaps(), { from: slot, to: slot }).length === 0) {
        onProblem(otherBlockProblem(item, held));
        return null;
      }
      await this.drop({ from: slot, to: slot }, onProblem);
      held = null;
    }
    const late = lateFacts(item, held);
    if (late === null) return null;
    const facts = await bundles.attach(late);
    const marks: SlotMark[] = [];
    for (const mark of marksOfLate(facts, nowMs())) {
      if (await this.dropDisproven(mark, onProblem)) marks.push(mark);
    }
    onSlot?.(facts);
    // Recorded before the log row exists: a crash in between costs a refold and loses no row.
    await noteDirty(slot);
    this.surroundings.slots.add(facts);
    this.counts.lateSlots++;
    pending.settle(marks);
    return facts;
  }

  /** Records final slots without a block. */
  async note(mark: SlotMark, onProblem: OnProblem): Promise<void> {
    // No source can fill a gap before the log any more.
    if (mark.state === 'missing' && this.isBeforeLog(mark.to)) return;
    if (await this.dropDisproven(mark, onProblem)) this.surroundings.marks.settle([mark]);
  }

  /**
   * Removes final slots from the log, which is then refolded without them. Resolves to false, after
   * reporting to `onProblem`, if they are too old.
   */
  async drop({ from, to }: SlotRun, onProblem: OnProblem): Promise<boolean> {
    const { changeable, flush, noteDirty, removal, marks, nowMs } = this.surroundings;
    const refusal = await changeable.refusalOf({ from, to });
    if (refusal !== null) {
      onProblem(refusal);
      return false;
    }
    await flush();
    const mark = markOfDropped({ from, to }, nowMs());
    // First: a refold that has folded them marks them as held with its next write.
    this.surroundings.slots.drop(mark);
    // Recorded before any row is removed: a crash in between costs a refold, and the slots stay
    // marked.
    await noteDirty(from, [{ ...mark, isDisproof: true }]);
    marks.changed();
    await removal.remove(from, to);
    this.counts.droppedSlots += to - from + 1;
    return true;
  }

  /** Whether a slot would not change anything: it is stored, or was before it was dropped. */
  private isKnown(item: SlotItem, held: SlotFacts | null): boolean {
    const slot = slotOf(item);
    if (held !== null) return !isOtherBlock(item, held) && lateFacts(item, held) === null;
    const [range] = this.surroundings.ranges(slot, slot);
    return this.isBeforeLog(slot) && range?.state === 'held';
  }

  private isBeforeLog(slot: Slot): boolean {
    return slot < (this.surroundings.logStart.slot ?? 0);
  }

  private async findHeld(slot: Slot): Promise<SlotFacts | null> {
    const late = this.surroundings.slots.find(slot);
    if (late !== null) return late;
    const { fold, log } = this.surroundings;
    const unwritten = fold().unwritten.find(({ facts }) => facts.slot === slot);
    return unwritten?.facts ?? (await log.find(slot));
  }

  /**
   * Removes stored blocks of suspected slots that turn out to be skipped. Resolves to false if they
   * must stay, because they are too old: then they must not be marked as skipped.
   */
  private async dropDisproven(
    { state, from, to }: SlotMark,
    onProblem: OnProblem,
  ): Promise<boolean> {
    if (state !== 'skipped') return true;
    const { fold, gaps } = this.surroundings;
    const lastFinal = Math.min(to, fold().finalSlot);
    if (lastFinal < from) return true;
    for (const run of gapsWithin(gaps(), { from, to: asSlot(lastFinal) })) {
      if ((await this.holdsBlock(run)) && !(await this.drop(run, onProblem))) return false;
    }
    return true;
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

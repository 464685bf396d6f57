import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot, type Slot } from '../model/units.ts';
import {
  type AccountObserver,
  observedFacts,
  offerUnborn,
  returnObservations,
} from './account-observer.ts';
import type { Fold, FoldedSlot } from './fold.ts';
import type { IngestionHooks, IngestionRun } from './ingestion-run.ts';
import { factsOf, type SlotItem } from './late-facts.ts';
import type { PendingMarks } from './pending-marks.ts';
import { insertIntoTail, isInTail, revertTo, undoTo } from './tail.ts';

/** The folded slots of a followed chain that can be reverted, and their marks. */
export class FollowedTail {
  readonly counts = { undos: 0, undoneSlots: 0, lateSlots: 0 };
  private readonly marks: PendingMarks;
  private readonly foldNow: () => Fold;

  /** `foldNow` returns the current fold. */
  constructor(marks: PendingMarks, foldNow: () => Fold) {
    this.marks = marks;
    this.foldNow = foldNow;
  }

  /** Folds a slot after all others. */
  add(item: SlotItem, run: IngestionRun): Promise<SlotFacts> {
    const fold = this.foldNow();
    const { refusals, rules } = run.hooks;
    return this.take(item, run, (facts) => {
      const refused = refusals?.attach(facts, fold) ?? facts;
      return fold.addTail(rules?.attach(refused, fold) ?? refused);
    });
  }

  /**
   * Folds a slot at its position in the tail; null if the tail contains it already. Rejects with
   * ChainError if the tail contains another block of the slot.
   */
  async insert(item: SlotItem, run: IngestionRun): Promise<SlotFacts | null> {
    const fold = this.foldNow();
    if (isInTail(fold, item)) return null;
    this.counts.lateSlots++;
    return this.take(item, run, (facts) => insertIntoTail(fold, facts));
  }

  /** Reverts to a block. Rejects with ChainError if that would revert a final slot. */
  async undo(toSlot: Slot, toBlockhash: string, { observer }: IngestionHooks): Promise<void> {
    const taken = await undoTo(this.foldNow(), toSlot, toBlockhash);
    this.counts.undos++;
    this.counts.undoneSlots += taken.length;
    this.marks.revertTo(toSlot);
    returnObservations(observer, toSlot, taken);
  }

  /** Reverts the whole tail. */
  async drop(observer: AccountObserver | undefined): Promise<void> {
    const fold = this.foldNow();
    const taken = await revertTo(fold, -1);
    returnObservations(observer, asSlot(Math.max(0, fold.finalSlot)), taken);
    this.marks.revertTo(-1);
    this.marks.changed();
  }

  finalise(slot: Slot): void {
    this.foldNow().finalise(slot);
    this.marks.finalise(slot);
  }

  private async take(
    item: SlotItem,
    { bundles, hooks: { observer, onSlot } }: IngestionRun,
    add: (facts: SlotFacts) => Promise<FoldedSlot>,
  ): Promise<SlotFacts> {
    const facts = observedFacts(await bundles.attach(factsOf(item)), observer);
    onSlot?.(facts);
    offerUnborn(observer, await add(facts));
    return facts;
  }
}

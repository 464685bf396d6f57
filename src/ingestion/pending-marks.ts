import type { SlotGap, SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import { gapsWith, type LedgerReads } from './open-gaps.ts';

/** What was learned of slots beside those that are folded, and is not in the ledger yet. */
export class PendingMarks {
  private readonly ledger: LedgerReads;
  /** On their way to the ledger. */
  private settledMarks: SlotMark[] = [];
  private writingMarks: readonly SlotMark[] = [];
  /** What the followed source said of slots that are not final. */
  private openMarks: SlotMark[] = [];
  private gapsNow: readonly SlotGap[] | null = null;

  constructor(ledger: LedgerReads) {
    this.ledger = ledger;
  }

  /** How many go to the ledger with the next write. */
  get settledCount(): number {
    return this.settledMarks.length;
  }

  /** What goes to the ledger now. It counts until `written`. */
  take(): readonly SlotMark[] {
    this.writingMarks = this.settledMarks;
    this.settledMarks = [];
    return this.writingMarks;
  }

  settle(marks: Iterable<SlotMark>): void {
    this.settledMarks.push(...marks);
  }

  /** Waits until its slots are final; an undo drops it. */
  keepOpen(mark: SlotMark): void {
    this.openMarks.push(mark);
  }

  finalise(slot: Slot): void {
    this.settle(this.openMarks.filter(({ to }) => to <= slot));
    this.openMarks = this.openMarks.filter(({ to }) => to > slot);
  }

  takeBackTo(slot: number): void {
    this.openMarks = this.openMarks.filter(({ to }) => to <= slot);
  }

  /** The ledger holds what was taken. */
  written(): void {
    this.writingMarks = [];
    this.changed();
  }

  /** What is told of the slots may be another by now. */
  changed(): void {
    this.gapsNow = null;
  }

  /** Slots that nobody could give, ascending; `folded` is what slots not written yet tell. */
  gaps(folded: () => readonly SlotMark[]): readonly SlotGap[] {
    // In an order in which they may be marked.
    const { writingMarks, settledMarks, openMarks } = this;
    this.gapsNow ??= gapsWith(this.ledger, [
      ...writingMarks,
      ...settledMarks,
      ...openMarks,
      ...folded(),
    ]);
    return this.gapsNow;
  }
}

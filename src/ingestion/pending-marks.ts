import type { SlotGap, SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';
import { gapsWith, type LedgerReads } from './open-gaps.ts';

/** Marks of slots other than those being folded, which are not in the ledger yet. */
export class PendingMarks {
  private readonly ledger: LedgerReads;
  /** Marks for the next write to the ledger. */
  private settledMarks: SlotMark[] = [];
  private writingMarks: readonly SlotMark[] = [];
  /** Marks of the followed source for slots that are not final. */
  private openMarks: SlotMark[] = [];
  private gapsNow: readonly SlotGap[] | null = null;

  constructor(ledger: LedgerReads) {
    this.ledger = ledger;
  }

  /** Number of marks for the next write. */
  get settledCount(): number {
    return this.settledMarks.length;
  }

  /** Takes the marks to write. They count until `written` is called. */
  take(): readonly SlotMark[] {
    this.writingMarks = this.settledMarks;
    this.settledMarks = [];
    return this.writingMarks;
  }

  settle(marks: Iterable<SlotMark>): void {
    this.settledMarks.push(...marks);
  }

  /** Keeps a mark until its slots are final; an undo drops it. */
  keepOpen(mark: SlotMark): void {
    this.openMarks.push(mark);
  }

  finalise(slot: Slot): void {
    this.settle(this.openMarks.filter(({ to }) => to <= slot));
    this.openMarks = this.openMarks.filter(({ to }) => to > slot);
  }

  revertTo(slot: number): void {
    this.openMarks = this.openMarks.filter(({ to }) => to <= slot);
  }

  /** The marks taken last are in the ledger. */
  written(): void {
    this.writingMarks = [];
    this.changed();
  }

  /** Invalidates the cached gaps. */
  changed(): void {
    this.gapsNow = null;
  }

  /**
   * Slots that no source could provide, ascending; `folded` returns the marks of unwritten slots.
   */
  gaps(folded: () => readonly SlotMark[]): readonly SlotGap[] {
    // In an order in which they may be applied.
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

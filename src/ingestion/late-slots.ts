import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';

const LATE_SLOTS_MAX = 500;

/**
 * Late slots waiting to be written to the log, and slots removed from it. Both require a refold of
 * the log.
 */
export class LateSlots {
  private slots: SlotFacts[] = [];
  private writing: readonly SlotFacts[] = [];
  private drops: SlotMark[] = [];
  private lastMs = 0;
  private firstNewSlot: Slot | null = null;

  add(facts: SlotFacts): void {
    this.slots.push(facts);
    this.noteNew(facts.slot);
    this.lastMs = performance.now();
  }

  /** Records slots removed from the log, with their mark in the ledger. */
  drop(mark: SlotMark): void {
    this.drops.push(mark);
    this.noteNew(mark.from);
    this.lastMs = performance.now();
  }

  /** The newest waiting record of a slot; null if there is none. */
  find(slot: Slot): SlotFacts | null {
    const matches = (facts: SlotFacts) => facts.slot === slot;
    return this.slots.findLast(matches) ?? this.writing.findLast(matches) ?? null;
  }

  /**
   * Takes the waiting records, in order of arrival. They can be found until `written` is called.
   */
  take(): readonly SlotFacts[] {
    this.writing = this.slots;
    this.slots = [];
    return this.writing;
  }

  get isFull(): boolean {
    return this.slots.length >= LATE_SLOTS_MAX;
  }

  /** Milliseconds since the last late slot. */
  get quietMs(): number {
    return performance.now() - this.lastMs;
  }

  /** The first slot added or removed since the last refold began; null if there is none. */
  get firstNew(): Slot | null {
    return this.firstNewSlot;
  }

  /** The records taken last are in the log. */
  written(): void {
    this.writing = [];
  }

  /**
   * A refold begins; the log contains all late slots. Returns the marks of slots removed since the
   * last refold, because a refold running at that time may have marked them as held.
   */
  refolding(): readonly SlotMark[] {
    this.firstNewSlot = null;
    return this.drops.splice(0);
  }

  /** The marks of slots removed since the last refold began. */
  get removed(): readonly SlotMark[] {
    return this.drops;
  }

  private noteNew(slot: Slot): void {
    if (this.firstNewSlot === null || slot < this.firstNewSlot) this.firstNewSlot = slot;
  }
}

import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotMark } from '../model/slot-range.ts';
import type { Slot } from '../model/units.ts';

const LATE_SLOTS_MAX = 500;

/**
 * Slots that came after later ones which are final, on their way to the log, and slots that were taken
 * out of it: the log is to be folded again.
 */
export class LateSlots {
  private slots: SlotFacts[] = [];
  private writing: readonly SlotFacts[] = [];
  private drops: SlotMark[] = [];
  private lastMs = 0;
  private isNew = false;

  add(facts: SlotFacts): void {
    this.slots.push(facts);
    this.isNew = true;
    this.lastMs = performance.now();
  }

  /** Slots leave the log, of which the ledger says this. */
  drop(mark: SlotMark): void {
    this.drops.push(mark);
    this.isNew = true;
    this.lastMs = performance.now();
  }

  /** The newest record of a slot that waits for its write; null when none does. */
  find(slot: Slot): SlotFacts | null {
    const isIt = (facts: SlotFacts) => facts.slot === slot;
    return this.slots.findLast(isIt) ?? this.writing.findLast(isIt) ?? null;
  }

  /** Those that wait for their write, in the order they came in. They count until `written`. */
  take(): readonly SlotFacts[] {
    this.writing = this.slots;
    this.slots = [];
    return this.writing;
  }

  get isFull(): boolean {
    return this.slots.length >= LATE_SLOTS_MAX;
  }

  /** For how long none has come. */
  get quietMs(): number {
    return performance.now() - this.lastMs;
  }

  /** Whether one came since the log began to be folded again. */
  get isAnyNew(): boolean {
    return this.isNew;
  }

  /** The log holds what was taken. */
  written(): void {
    this.writing = [];
  }

  /**
   * The log, which holds all of them, begins to be folded again. Returns what the ledger is to be told
   * of slots that left it since the last time: a fold that was running then may have called them held.
   */
  refolding(): readonly SlotMark[] {
    this.isNew = false;
    return this.drops.splice(0);
  }
}

import { UndoLog } from '../lib/undo-log.ts';
import type { Slot } from '../model/units.ts';

/** The newest slots of a fold that are not final yet, each with all that takes it back. */
export class UndoSlots {
  /** What the fold's books write to. */
  readonly log: UndoLog;
  private readonly slotsMax: number;
  private readonly slots: Slot[] = [];

  constructor(slotsMax: number) {
    this.slotsMax = slotsMax;
    this.log = new UndoLog(slotsMax);
  }

  get count(): number {
    return this.slots.length;
  }

  /** Throws RangeError, before anything changes, when a slot of this kind may not be folded now. */
  assertFolds(slot: Slot, isFinal: boolean): void {
    const oldest = this.slots[0];
    if (oldest === undefined) return;
    if (isFinal) {
      throw new RangeError(`slot ${slot} is final, but slot ${oldest} before it is not`);
    }
    if (this.count >= this.slotsMax) {
      throw new RangeError(
        `slot ${slot} would be one more than ${this.slotsMax} slots that are not final: nothing became final since slot ${oldest}`,
      );
    }
  }

  /** Applies one slot by `apply` so that it can be taken back. */
  applying<Result>(slot: Slot, apply: () => Result): Result {
    this.log.open();
    const result = apply();
    this.log.close();
    this.slots.push(slot);
    return result;
  }

  /** Takes the newest slot back. Throws RangeError when none can be. */
  undo(): void {
    if (this.slots.pop() === undefined) {
      throw new RangeError('no slot is held that is not final');
    }
    this.log.undo();
  }

  /** Slots up to `slot` are final. */
  forget(slot: Slot): void {
    const newer = this.slots.findIndex((each) => each > slot);
    const count = newer < 0 ? this.slots.length : newer;
    this.slots.splice(0, count);
    this.log.forget(count);
  }
}

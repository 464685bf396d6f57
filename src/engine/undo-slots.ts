import { PagePool } from '../lib/pages/page-pool.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { Slot } from '../model/units.ts';

/** The newest slots of a fold, which are not final yet, each with the data to revert it. */
export class UndoSlots {
  /** The undo log of the fold's books. */
  readonly log: UndoLog;
  private readonly slotsMax: number;
  private readonly slots: Slot[] = [];

  constructor(slotsMax: number, pages = new PagePool()) {
    this.slotsMax = slotsMax;
    this.log = new UndoLog(slotsMax, pages);
  }

  get count(): number {
    return this.slots.length;
  }

  /** Throws RangeError when a slot of this kind cannot be applied now. */
  assertFolds(slot: Slot, isFinal: boolean): void {
    const oldest = this.slots[0];
    if (oldest === undefined) return;
    if (isFinal) {
      throw new RangeError(`slot ${slot} is final, but slot ${oldest} before it is not`);
    }
    if (this.count >= this.slotsMax) {
      throw new RangeError(
        `slot ${slot} exceeds the limit of ${this.slotsMax} slots that are not final; ` +
          `the oldest is ${oldest}`,
      );
    }
  }

  /** Runs `apply` for one slot and records the data to revert it. */
  applying<Result>(slot: Slot, apply: () => Result): Result {
    this.log.open();
    const result = apply();
    this.log.close();
    this.slots.push(slot);
    return result;
  }

  /** Reverts the newest slot. Throws RangeError when there is none. */
  undo(): void {
    if (this.slots.pop() === undefined) {
      throw new RangeError('there is no slot that is not final');
    }
    this.log.undo();
  }

  /** Makes slots up to `slot` final. */
  forget(slot: Slot): void {
    const newer = this.slots.findIndex((each) => each > slot);
    const count = newer < 0 ? this.slots.length : newer;
    this.slots.splice(0, count);
    this.log.forget(count);
  }
}

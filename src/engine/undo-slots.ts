import { PagePool } from '../lib/pages/page-pool.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { Slot } from '../model/units.ts';

/** Runs a read, and returns its result. */
export type SlotRead = <Result>(read: () => Result) => Result;

/** Is given what runs reads of the state as of the end of the slot before, until it returns. */
export type SlotPause = (asOfLastSlot: SlotRead) => void;

/** How a slot is applied. */
export interface ApplyOptions {
  readonly isFinal: boolean;
  /**
   * Called after each transaction and other small parts of the slot; never if omitted. A final slot
   * takes the time of one that is not.
   */
  readonly pause?: SlotPause | undefined;
  /** Called at the same points if there is no `pause`, when other states may be read. */
  readonly onPause?: (() => void) | undefined;
}

/** What a slot is applied with. */
export interface SlotParts {
  /** The undo log of all books of the state. */
  readonly undo: UndoLog;
  /**
   * Called where nothing is half changed that the undo log does not revert, and nobody holds an offset
   * of a page: the state may be read there as of the slot before, and pages may leave memory.
   */
  readonly onPause: () => void;
}

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

  /**
   * Runs `apply` for one slot and records the data to revert it, of a final slot only as long as the
   * state may be read meanwhile.
   */
  applying<Result>(
    slot: Slot,
    { isFinal, pause, onPause = noPause }: ApplyOptions,
    apply: (parts: SlotParts) => Result,
  ): Result {
    const { log: undo } = this;
    const asOfLastSlot: SlotRead = (read) => undo.asOfOpening(read);
    const parts: SlotParts = {
      undo,
      onPause: () => {
        undo.pages.trimWithin();
        if (pause === undefined) onPause();
        else pause(asOfLastSlot);
      },
    };
    if (isFinal && pause === undefined) return apply(parts);
    undo.open();
    const result = apply(parts);
    undo.close();
    if (isFinal) undo.forget(1);
    else this.slots.push(slot);
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

function noPause(): void {
  // Nobody reads meanwhile.
}

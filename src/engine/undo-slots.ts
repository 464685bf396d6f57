import { UndoLog } from '../lib/undo-log.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { RevertedSlot } from '../model/reverted-slot.ts';
import type { Slot } from '../model/units.ts';

/** The newest slots of a fold that are not final yet, each with all that takes it back. */
export class UndoSlots {
  /** What the fold's books write to. */
  readonly log: UndoLog;
  private readonly slotsMax: number;
  private readonly changes: SlotChanges[] = [];

  constructor(slotsMax: number) {
    this.slotsMax = slotsMax;
    this.log = new UndoLog(slotsMax);
  }

  get count(): number {
    return this.changes.length;
  }

  /** Throws RangeError, before anything changes, when a slot of this kind may not be folded now. */
  assertFolds(slot: Slot, isFinal: boolean): void {
    const oldest = this.changes[0]?.slot;
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

  /** Folds one slot by `fold` so that it can be taken back. */
  folding(fold: () => SlotChanges): SlotChanges {
    this.log.open();
    const changes = fold();
    this.log.close();
    this.changes.push(changes);
    return changes;
  }

  /** Takes the newest slot back. Throws RangeError when none can be. */
  undo(): RevertedSlot {
    const changes = this.changes.pop();
    if (changes === undefined) throw new RangeError('no slot is held that is not final');
    this.log.undo();
    return toRevertedSlot(changes);
  }

  /** Slots up to `slot` are final. */
  forget(slot: Slot): void {
    const newer = this.changes.findIndex((changes) => changes.slot > slot);
    const count = newer < 0 ? this.changes.length : newer;
    this.changes.splice(0, count);
    this.log.forget(count);
  }
}

function toRevertedSlot(changes: SlotChanges): RevertedSlot {
  const { slot, swaps, tokens, pools, candles, balances, solPrices } = changes;
  return {
    slot,
    swaps: swaps
      .filter((priced) => priced.slot < slot)
      .map(({ slot: ofSlot, txIndex, swap: { outerIx, innerIx } }) => ({
        slot: ofSlot,
        txIndex,
        outerIx,
        innerIx,
      })),
    tokens: tokens.map(({ mint }) => mint),
    pools: pools.map(({ pool }) => pool),
    candles: candles.map(({ scope, openTimeMs }) => ({ scope, openTimeMs })),
    balances: balances.map(({ mint, owner }) => ({ mint, owner })),
    solPriceMinutesMs: solPrices.map(({ minuteMs }) => minuteMs),
  };
}

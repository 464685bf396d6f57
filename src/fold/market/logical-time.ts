import { UndoLog } from '../../lib/undo-log.ts';
import type { Slot } from '../../model/units.ts';

/** When something happened, as the fold counts time. */
export interface Moment {
  readonly slot: Slot;
  /** Orders moments whether it is known or not; 0 before the first block time. */
  readonly timeMs: number;
  /** False where `timeMs` says no more than "not earlier than": no wall time may be made of it. */
  readonly isTimeKnown: boolean;
}

/**
 * How far, in slots, a block time may be carried. Slots take 200 to 600 ms, so a carried time is at
 * most 90 s late: an estimate. Further away it would be an invention.
 */
const CARRY_SLOTS_MAX = 150;

/**
 * The clock of the fold: T(slot) = max(T(previous slot), block time), in milliseconds. Block times
 * may stand still or step back between slots; T never does.
 */
export class LogicalClock {
  private currentMs = 0;
  /** The last slot with a block time of its own. */
  private knownSlot: Slot | null = null;
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /**
   * Moves to the next slot. One whose block time the chain did not record keeps the time before it,
   * as an estimate when at most 150 slots lie between it and the last recorded time, and otherwise
   * as an unknown one.
   */
  advance(slot: Slot, blockTimeMs: number | null): Moment {
    if (blockTimeMs !== null) {
      this.undo.keep(this);
      this.currentMs = Math.max(this.currentMs, blockTimeMs);
      this.knownSlot = slot;
    }
    const { knownSlot, currentMs: timeMs } = this;
    const isTimeKnown = knownSlot !== null && slot - knownSlot <= CARRY_SLOTS_MAX;
    return { slot, timeMs, isTimeKnown };
  }

  get timeMs(): number {
    return this.currentMs;
  }

  /** The last slot with a block time of its own, null before the first. */
  get timedSlot(): Slot | null {
    return this.knownSlot;
  }
}

/** The time of a moment as a wall time, null where it is unknown. */
export function knownTimeMs({ timeMs, isTimeKnown }: Moment): number | null {
  return isTimeKnown ? timeMs : null;
}

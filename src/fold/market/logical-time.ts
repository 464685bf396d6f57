import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Slot } from '../../model/units.ts';

/** A slot with its logical time. */
export interface Moment {
  readonly slot: Slot;
  /** Orders moments even if it is not known; 0 before the first block time. */
  readonly timeMs: number;
  /** False if `timeMs` is only a lower bound; it must then not be shown as a wall-clock time. */
  readonly isTimeKnown: boolean;
}

/**
 * Number of slots for which a block time may be carried forward. Slots take 200 to 600 ms, so a
 * carried time is at most 90 s late, which is acceptable as an estimate.
 */
const CARRY_SLOTS_MAX = 150;

/**
 * The logical clock of the fold: T(slot) = max(T(previous slot), block time), in milliseconds.
 * Block times may repeat or decrease between slots; T never decreases.
 */
export class LogicalClock {
  private readonly state: StateValue<ClockState>;
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
    this.state = new StateValue<ClockState>({ timeMs: 0, timedSlot: null }, undo, 'clock');
  }

  /**
   * Advances to the next slot. A slot without a recorded block time keeps the previous time. That
   * time counts as known up to 150 slots after the last recorded one, otherwise as unknown.
   */
  advance(slot: Slot, blockTimeMs: number | null): Moment {
    const { now } = this.state;
    if (blockTimeMs !== null) {
      this.undo.keep(now);
      now.timeMs = Math.max(now.timeMs, blockTimeMs);
      now.timedSlot = slot;
    }
    const { timedSlot, timeMs } = now;
    const isTimeKnown = timedSlot !== null && slot - timedSlot <= CARRY_SLOTS_MAX;
    return { slot, timeMs, isTimeKnown };
  }

  get timeMs(): number {
    return this.state.now.timeMs;
  }

  /** The last slot with a recorded block time, null before the first. */
  get timedSlot(): Slot | null {
    return this.state.now.timedSlot;
  }
}

interface ClockState {
  timeMs: number;
  timedSlot: Slot | null;
}

/** The time of a moment as a wall-clock time, null when unknown. */
export function knownTimeMs({ timeMs, isTimeKnown }: Moment): number | null {
  return isTimeKnown ? timeMs : null;
}

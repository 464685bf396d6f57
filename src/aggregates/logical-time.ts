import type { Slot } from '../model/units.ts';

/** When something happened, as the fold counts time. */
export interface Moment {
  readonly slot: Slot;
  readonly timeMs: number;
}

/**
 * The clock of the fold: T(slot) = max(T(previous slot), block time), in milliseconds. Block times
 * may stand still or step back between slots; T never does.
 */
export class LogicalClock {
  private currentMs = 0;
  private estimatedSlots = 0;

  /**
   * Moves to the next slot. A slot whose block time the chain did not record keeps the time of the
   * slot before it and is counted as estimated; before the first known block time that is 0.
   */
  advance(blockTimeMs: number | null): number {
    if (blockTimeMs === null) this.estimatedSlots++;
    else if (blockTimeMs > this.currentMs) this.currentMs = blockTimeMs;
    return this.currentMs;
  }

  get timeMs(): number {
    return this.currentMs;
  }

  get estimatedSlotCount(): number {
    return this.estimatedSlots;
  }
}

import type { DayCells } from './day-cells.ts';
import type { DrawnDays } from './day-draws.ts';
import type { Turns } from './turns.ts';

/** Slots processed in one turn: a few milliseconds. */
const TURN_SLOTS = 2 ** 21;

export function drawsOfTurn(side: DayCells): number {
  return Math.max(1, Math.floor(TURN_SLOTS / (side.slotCount + 1)));
}

/**
 * The number of closed positions per cell, draw by draw. Exit rules differ only in the positions
 * still open on the last days; counts are integers, so only the days that differ are recounted.
 */
export class DrawCounts {
  /** By draw, then by cell. */
  readonly totals: Float64Array;
  private readonly side: DayCells;
  private readonly drawn: DrawnDays;
  private readonly cellCount: number;
  private counts: Float64Array;

  constructor(side: DayCells, drawn: DrawnDays, cellCount: number) {
    this.side = side;
    this.drawn = drawn;
    this.cellCount = cellCount;
    this.counts = new Float64Array(side.slotCount + 1);
    this.totals = new Float64Array((drawn.starts.length - 1) * cellCount);
  }

  /** Sets the counts by slot. Returns whether they differ from the previous ones. */
  *set(counts: Float64Array): Turns<boolean> {
    const { side, drawn, cellCount, totals } = this;
    const days = side.changedDays(counts, this.counts);
    if (!days.includes(1)) return false;
    const values = counts.map((count, slot) => count - (this.counts[slot] ?? 0));
    this.counts = counts;
    const most = drawsOfTurn(side);
    for (let draw = 0; draw < drawn.starts.length - 1; draw++) {
      const begin = draw * cellCount;
      const ofDraw = totals.subarray(begin, begin + cellCount);
      side.addDraw(ofDraw, { values, days, drawn, draw });
      if (draw % most === most - 1) yield;
    }
    return true;
  }
}

import type { DrawnDays } from './day-draws.ts';
import { MARKET_CELLS } from './market-cell.ts';

/** Days since 1970, UTC, and cells of signals or of random minutes, in the same order. */
export interface MatchedCells {
  readonly days: Int32Array;
  readonly cells: Int32Array;
}

/** The days, and the cells that contain both signals and random minutes, with their indexes. */
export interface MatchedAxes {
  readonly days: ReadonlyMap<number, number>;
  /** By cell; -1 if nothing is comparable. */
  readonly cellIndexes: Int32Array;
  readonly cellCount: number;
}

export function axesOf(signals: MatchedCells, controls: MatchedCells): MatchedAxes {
  const days = [...new Set([...runsOf(signals.days), ...runsOf(controls.days)])];
  days.sort((one, other) => one - other);
  const own = new Uint8Array(MARKET_CELLS);
  const base = new Uint8Array(MARKET_CELLS);
  mark(own, signals.cells);
  mark(base, controls.cells);
  let cellCount = 0;
  const cellIndexes = own.map((is, cell) => is * (base[cell] ?? 0));
  return {
    days: new Map(days.map((day, index) => [day, index])),
    cellIndexes: Int32Array.from(cellIndexes, (is) => (is === 1 ? cellCount++ : -1)),
    cellCount,
  };
}

function mark(marks: Uint8Array | Int32Array, indexes: Int32Array): void {
  for (let at = 0; at < indexes.length; at++) marks[indexes[at] ?? 0] = 1;
}

/** The distinct days; equal days mostly follow one another. */
function runsOf(days: Int32Array): ReadonlySet<number> {
  const runs = new Set<number>();
  let last = Number.NaN;
  for (let at = 0; at < days.length; at++) {
    const day = days[at] ?? 0;
    if (day === last) continue;
    last = day;
    runs.add(day);
  }
  return runs;
}

/** Returns of rows: `rows` are indexes into `column`, in the order of the days. */
export interface ReturnsE9 {
  /** Percent with nine decimals, NaN for none. */
  readonly column: Float64Array;
  readonly rows: Int32Array;
}

/** Number and sum of the returns by slot. The last entry is for rows that are not comparable. */
export interface SlotSums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Number of all returns, including those that are not comparable. */
  readonly count: number;
  readonly wins: number;
}

/**
 * Rows of one kind by day and cell. A slot is a cell with at least one row on a day; the slots of a
 * day are consecutive. Draws resample days, so each visits slots rather than rows.
 */
export class DayCells {
  /** Slot of each row; one past the last slot for a row in a cell that is not comparable. */
  private readonly rowSlots: Int32Array;
  /** Cell index of each slot. */
  private readonly slotCells: Int32Array;
  private readonly dayStarts: Int32Array;

  constructor(axes: MatchedAxes, matched: MatchedCells) {
    const { cellCount } = axes;
    const keys = keysOf(axes, matched);
    // By day and cell: first 1 if there is a row, then the slot.
    const slots = new Int32Array(axes.days.size * cellCount + 1);
    mark(slots, keys);
    const cells: number[] = [];
    this.dayStarts = new Int32Array(axes.days.size + 1);
    for (let key = 0, day = 0; day < axes.days.size; day++) {
      for (let cell = 0; cell < cellCount; cell++, key++) {
        if (slots[key] === 0) continue;
        slots[key] = cells.length;
        cells.push(cell);
      }
      this.dayStarts[day + 1] = cells.length;
    }
    slots[slots.length - 1] = cells.length;
    this.slotCells = Int32Array.from(cells);
    this.rowSlots = keys;
    for (let row = 0; row < keys.length; row++) keys[row] = slots[keys[row] ?? 0] ?? 0;
  }

  get slotCount(): number {
    return this.slotCells.length;
  }

  /**
   * Copies the returns that exist into `closed`, which must have at least as many entries as rows.
   */
  sumsOf({ column, rows }: ReturnsE9, closed: Float64Array): SlotSums {
    const { rowSlots } = this;
    const counts = new Float64Array(this.slotCount + 1);
    const sums = new Float64Array(this.slotCount + 1);
    let count = 0;
    let wins = 0;
    for (let row = 0; row < rowSlots.length; row++) {
      const value = column[rows[row] ?? 0] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const slot = rowSlots[row] ?? 0;
      counts[slot] = (counts[slot] ?? 0) + 1;
      sums[slot] = (sums[slot] ?? 0) + value;
      closed[count++] = value;
      wins += Number(value > 0);
    }
    return { counts, sums, count, wins };
  }

  /** Number of days with a row, counted in `counts`, of a cell that is above 0 in `cells`. */
  daysWith(counts: Float64Array, cells: Float64Array): number {
    let days = 0;
    for (let day = 0; day + 1 < this.dayStarts.length; day++) {
      const last = this.dayStarts[day + 1] ?? 0;
      for (let slot = this.dayStarts[day] ?? 0; slot < last; slot++) {
        if ((counts[slot] ?? 0) === 0 || (cells[this.slotCells[slot] ?? 0] ?? 0) === 0) continue;
        days++;
        break;
      }
    }
    return days;
  }

  /** By day: 1 if the value of a slot differs. */
  changedDays(one: Float64Array, other: Float64Array): Uint8Array {
    const changed = new Uint8Array(this.dayStarts.length - 1);
    for (let day = 0; day < changed.length; day++) {
      const last = this.dayStarts[day + 1] ?? 0;
      for (let slot = this.dayStarts[day] ?? 0; slot < last; slot++) {
        if (one[slot] !== other[slot]) changed[day] = 1;
      }
    }
    return changed;
  }

  /** Adds values of slots to the totals of their cells, over the selected days of a draw. */
  addDraw(totals: Float64Array, { values, days, drawn, draw }: DrawnValues): void {
    const { slotCells, dayStarts } = this;
    const end = drawn.starts[draw + 1] ?? 0;
    for (let at = drawn.starts[draw] ?? 0; at < end; at++) {
      const day = drawn.days[at] ?? 0;
      if (days[day] === 0) continue;
      const weight = drawn.weights[at] ?? 0;
      const last = dayStarts[day + 1] ?? 0;
      for (let slot = dayStarts[day] ?? 0; slot < last; slot++) {
        const cell = slotCells[slot] ?? 0;
        totals[cell] = (totals[cell] ?? 0) + weight * (values[slot] ?? 0);
      }
    }
  }

  /** Sums values by day for cells with `isWhole` 1; keeps the others by slot. */
  split(values: Float64Array, isWhole: Uint8Array): SplitValues {
    const wholes = new Float64Array(this.dayStarts.length - 1);
    const slots: number[] = [];
    const slotStarts = new Int32Array(this.dayStarts.length);
    for (let day = 0; day < wholes.length; day++) {
      const last = this.dayStarts[day + 1] ?? 0;
      for (let slot = this.dayStarts[day] ?? 0; slot < last; slot++) {
        const cell = this.slotCells[slot] ?? 0;
        if (isWhole[cell] === 1) wholes[day] = (wholes[day] ?? 0) + (values[slot] ?? 0);
        else slots.push(slot);
      }
      slotStarts[day + 1] = slots.length;
    }
    return {
      wholes,
      cells: Int32Array.from(slots, (slot) => this.slotCells[slot] ?? 0),
      values: Float64Array.from(slots, (slot) => values[slot] ?? 0),
      starts: slotStarts,
    };
  }
}

export interface DrawnValues {
  /** By slot. */
  readonly values: Float64Array;
  /** By day: 1 to include, 0 to skip. */
  readonly days: Uint8Array;
  readonly drawn: DrawnDays;
  readonly draw: number;
}

export interface SplitValues {
  /** By day. */
  readonly wholes: Float64Array;
  /** The entries of a day are those from its start up to the next start. */
  readonly starts: Int32Array;
  readonly cells: Int32Array;
  readonly values: Float64Array;
}

/** Ordered by day, then by cell; the last key is for cells that are not comparable. */
function keysOf({ days, cellIndexes, cellCount }: MatchedAxes, matched: MatchedCells): Int32Array {
  const keys = new Int32Array(matched.days.length);
  let day = Number.NaN;
  let begin = 0;
  for (let row = 0; row < keys.length; row++) {
    if (matched.days[row] !== day) {
      day = matched.days[row] ?? 0;
      begin = (days.get(day) ?? 0) * cellCount;
    }
    const cell = cellIndexes[matched.cells[row] ?? 0] ?? -1;
    keys[row] = cell === -1 ? days.size * cellCount : begin + cell;
  }
  return keys;
}

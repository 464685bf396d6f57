import type { UndoLog } from '../../lib/undo-log.ts';
import { POSITION_LAYOUT, type PositionRows } from './position-row.ts';

/** Rows that wait for one day, in the order in which they came. */
export interface DueDay {
  /** Since 1970; rows may be taken from its beginning on. */
  readonly day: number;
  /** Rows plus one. */
  first: number;
  last: number;
}

export const DAY_MS = 86_400_000;

const { nextDue, dueDay } = POSITION_LAYOUT.fields;

/** Positions by the day on which they are to be looked at again; a row waits once at a time. */
export class DueQueue {
  private readonly days: DueDay[] = [];
  private readonly rows: PositionRows;
  private readonly undo: UndoLog;

  constructor(rows: PositionRows, undo: UndoLog) {
    this.rows = rows;
    this.undo = undo;
  }

  /** Has a row wait for the first day that begins at `dueMs` or later; not if it waits already. */
  add(row: number, dueMs: number): void {
    if (this.rows.number(row, dueDay) !== 0) return;
    const day = Math.min(DAYS_MAX, Math.max(1, Math.ceil(dueMs / DAY_MS)));
    const waiting = this.dayOf(day);
    if (waiting.last !== 0) this.rows.setNumber(waiting.last - 1, nextDue, row + 1);
    this.undo.keep(waiting);
    if (waiting.first === 0) waiting.first = row + 1;
    waiting.last = row + 1;
    this.rows.setNumber(row, nextDue, 0);
    this.rows.setNumber(row, dueDay, day);
  }

  /** Takes out the row that has waited longest for a day that has begun; -1 when there is none. */
  take(nowMs: number): number {
    const waiting = this.days[0];
    if (waiting === undefined || waiting.day * DAY_MS > nowMs) return -1;
    const row = waiting.first - 1;
    this.undo.keep(waiting);
    waiting.first = this.rows.number(row, nextDue);
    if (waiting.first === 0) {
      this.undo.head(this.days, 1);
      this.days.shift();
    }
    this.rows.setNumber(row, nextDue, 0);
    this.rows.setNumber(row, dueDay, 0);
    return row;
  }

  /** There are few days at a time: rows are put off by a day or a week. */
  private dayOf(day: number): DueDay {
    const after = this.days.findIndex((waiting) => waiting.day >= day);
    const found = this.days[after];
    if (found?.day === day) return found;
    const added = { day, first: 0, last: 0 };
    this.undo.keep(this.days);
    this.days.splice(after === -1 ? this.days.length : after, 0, added);
    return added;
  }
}

const DAYS_MAX = 0xffff;

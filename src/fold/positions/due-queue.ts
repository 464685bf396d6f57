import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { POSITION_LAYOUT, type PositionRows } from './position-row.ts';

/** Rows due on one day, in insertion order. */
export interface DueDay {
  /** Days since 1970. Rows may be taken from the beginning of this day. */
  readonly day: number;
  /** Row numbers plus one; 0 for none. */
  first: number;
  last: number;
}

export const DAY_MS = 86_400_000;

const { nextDue, dueDay } = POSITION_LAYOUT.fields;

/** Positions by the day of their next check. A row is queued at most once. */
export class DueQueue {
  /** Days with rows, the earliest first. */
  private readonly state: StateValue<{ readonly days: DueDay[] }>;
  private readonly rows: PositionRows;
  private readonly undo: UndoLog;

  constructor(rows: PositionRows, undo: UndoLog) {
    this.rows = rows;
    this.undo = undo;
    this.state = new StateValue<{ readonly days: DueDay[] }>(
      { days: [] },
      undo,
      'days of position checks',
    );
  }

  /**
   * Queues a row for the first day that begins at or after `dueMs`, unless it is already queued.
   */
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

  /**
   * Removes and returns the first row of the earliest day that has begun; -1 when there is none.
   */
  take(nowMs: number): number {
    const { days } = this.state.now;
    const waiting = days[0];
    if (waiting === undefined || waiting.day * DAY_MS > nowMs) return -1;
    const row = waiting.first - 1;
    this.undo.keep(waiting);
    waiting.first = this.rows.number(row, nextDue);
    if (waiting.first === 0) {
      this.undo.head(days, 1);
      days.shift();
    }
    this.rows.setNumber(row, nextDue, 0);
    this.rows.setNumber(row, dueDay, 0);
    return row;
  }

  /** A linear search: there are few days, because rows are postponed by a day or a week. */
  private dayOf(day: number): DueDay {
    const { days } = this.state.now;
    const after = days.findIndex((waiting) => waiting.day >= day);
    const found = days[after];
    if (found?.day === day) return found;
    const added = { day, first: 0, last: 0 };
    this.undo.keep(days);
    days.splice(after === -1 ? days.length : after, 0, added);
    return added;
  }
}

const DAYS_MAX = 0xffff;

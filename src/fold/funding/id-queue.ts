import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/** Ids per row. */
const QUEUED = 31;

/** Ids of a queue, oldest first; `next` is the row of the following ones plus one, 0 for none. */
export const QUEUE_LAYOUT = rowLayout({ ids: ['u32', QUEUED], next: 'u32' });
const FIELD = QUEUE_LAYOUT.fields;

/** Rows are numbers plus one, 0 while the queue is empty; `from` and `to` are indexes in them. */
export interface QueueState {
  first: number;
  last: number;
  /** Index of the oldest id in the first row. */
  from: number;
  /** Index after the newest id in the last row. */
  to: number;
}

/** A queue of ids in rows of 128 bytes, which are freed when all of their ids are taken. */
export class IdQueue {
  private readonly undo: UndoLog;
  private readonly rows: RowTable;
  private readonly state: StateValue<QueueState>;

  constructor(undo: UndoLog, name: string) {
    this.undo = undo;
    this.rows = new RowTable(QUEUE_LAYOUT, undo, name);
    this.state = new StateValue({ first: 0, last: 0, from: 0, to: 0 }, undo, `${name} ends`);
  }

  /** The oldest id, -1 if the queue is empty. */
  get oldest(): number {
    const { first, from } = this.state.now;
    return first === 0 ? -1 : this.rows.number(first - 1, FIELD.ids, from);
  }

  push(id: number): void {
    const { rows } = this;
    const state = this.state.now;
    this.undo.keep(state);
    if (state.last === 0 || state.to === QUEUED) {
      const row = rows.add();
      if (state.last === 0) state.first = row + 1;
      else rows.setNumber(state.last - 1, FIELD.next, row + 1);
      state.last = row + 1;
      state.to = 0;
    }
    rows.setNumber(state.last - 1, FIELD.ids, id, state.to++);
  }

  /** Removes the oldest id of a queue that is not empty. */
  shift(): void {
    const { rows } = this;
    const state = this.state.now;
    this.undo.keep(state);
    state.from++;
    const isLast = state.first === state.last;
    if (state.from < (isLast ? state.to : QUEUED)) return;
    const next = rows.number(state.first - 1, FIELD.next);
    rows.remove(state.first - 1);
    state.first = next;
    state.from = 0;
    if (isLast) state.last = 0;
  }

  /** Rows in use. */
  get rowCount(): number {
    return this.rows.size;
  }
}

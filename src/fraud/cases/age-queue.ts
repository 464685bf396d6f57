import type { Field } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/** Fields of a row that link it in a queue: row number of each neighbour plus one, 0 for none. */
export interface QueueFields {
  readonly older: Field<'u32'>;
  readonly newer: Field<'u32'>;
}

/** First and last row plus one, 0 for none, and the number of rows. */
export interface QueueEnds {
  oldest: number;
  newest: number;
  size: number;
}

/** A queue of table rows in which any row can move to the end. A row is in one queue at a time. */
export class AgeQueue {
  private readonly rows: RowTable;
  private readonly fields: QueueFields;
  private readonly undo: UndoLog;
  private readonly ends: StateValue<QueueEnds>;

  constructor(rows: RowTable, { older, newer }: QueueFields, undo: UndoLog, name: string) {
    this.rows = rows;
    this.fields = { older, newer };
    this.undo = undo;
    this.ends = new StateValue({ oldest: 0, newest: 0, size: 0 }, undo, name);
  }

  get size(): number {
    return this.ends.now.size;
  }

  /** The oldest row, -1 when the queue is empty. */
  get oldest(): number {
    return this.ends.now.oldest - 1;
  }

  /** Appends a row that is in no queue. */
  push(row: number): void {
    const { rows, fields } = this;
    const ends = this.ends.now;
    this.undo.keep(ends);
    rows.setNumber(row, fields.older, ends.newest);
    rows.setNumber(row, fields.newer, 0);
    if (ends.newest === 0) ends.oldest = row + 1;
    else rows.setNumber(ends.newest - 1, fields.newer, row + 1);
    ends.newest = row + 1;
    ends.size++;
  }

  /** Moves a row of this queue to the end. */
  renew(row: number): void {
    const { rows, fields } = this;
    const ends = this.ends.now;
    if (ends.newest === row + 1) return;
    this.undo.keep(ends);
    // Same as `remove` and `push`, but writes each row once: every trade and payment renews rows.
    const page = rows.changing(row);
    const at = rows.startOf(row);
    const older = page.getUint32(at + fields.older.offset, true);
    const newer = page.getUint32(at + fields.newer.offset, true);
    if (older === 0) ends.oldest = newer;
    else this.put(older - 1, fields.newer, newer);
    this.put(newer - 1, fields.older, older);
    this.put(ends.newest - 1, fields.newer, row + 1);
    page.setUint32(at + fields.older.offset, ends.newest, true);
    page.setUint32(at + fields.newer.offset, 0, true);
    ends.newest = row + 1;
  }

  /** Removes a row of this queue. */
  remove(row: number): void {
    const { rows, fields } = this;
    const ends = this.ends.now;
    this.undo.keep(ends);
    const older = rows.number(row, fields.older);
    const newer = rows.number(row, fields.newer);
    if (older === 0) ends.oldest = newer;
    else rows.setNumber(older - 1, fields.newer, newer);
    if (newer === 0) ends.newest = older;
    else rows.setNumber(newer - 1, fields.older, older);
    ends.size--;
  }

  private put(row: number, { offset }: Field<'u32'>, value: number): void {
    this.rows.changing(row).setUint32(this.rows.startOf(row) + offset, value, true);
  }

  /** All rows, oldest first. */
  *all(): Generator<number> {
    let next = this.ends.now.oldest;
    while (next !== 0) {
      yield next - 1;
      next = this.rows.number(next - 1, this.fields.newer);
    }
  }
}

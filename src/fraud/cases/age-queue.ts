import type { Field } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/** Fields of a row by which it stands in line: neighbours plus one, 0 for none. */
export interface QueueFields {
  readonly older: Field<'u32'>;
  readonly newer: Field<'u32'>;
}

/** Rows plus one, 0 for none, and how many there are. */
export interface QueueEnds {
  oldest: number;
  newest: number;
  size: number;
}

/** Rows of a table in line, so that any of them can go to the end. A row is in one line at a time. */
export class AgeQueue {
  private readonly rows: RowTable;
  private readonly fields: QueueFields;
  private readonly undo: UndoLog;
  private readonly ends: QueueEnds = { oldest: 0, newest: 0, size: 0 };

  constructor(rows: RowTable, { older, newer }: QueueFields, undo: UndoLog) {
    this.rows = rows;
    this.fields = { older, newer };
    this.undo = undo;
  }

  get size(): number {
    return this.ends.size;
  }

  /** The row that has stood longest, -1 when there is none. */
  get oldest(): number {
    return this.ends.oldest - 1;
  }

  /** Puts a row that stands in no line to the end. */
  push(row: number): void {
    const { rows, fields, ends } = this;
    this.undo.keep(ends);
    rows.setNumber(row, fields.older, ends.newest);
    rows.setNumber(row, fields.newer, 0);
    if (ends.newest === 0) ends.oldest = row + 1;
    else rows.setNumber(ends.newest - 1, fields.newer, row + 1);
    ends.newest = row + 1;
    ends.size++;
  }

  /** Puts a row that stands in this line to the end. */
  renew(row: number): void {
    const { rows, fields, ends } = this;
    if (ends.newest === row + 1) return;
    this.undo.keep(ends);
    // As `remove` and `push` would, each row touched once: every trade and payment renews some.
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

  /** Takes a row out that stands in this line. */
  remove(row: number): void {
    const { rows, fields, ends } = this;
    this.undo.keep(ends);
    const older = rows.number(row, fields.older);
    const newer = rows.number(row, fields.newer);
    if (older === 0) ends.oldest = newer;
    else rows.setNumber(older - 1, fields.newer, newer);
    if (newer === 0) ends.newest = older;
    else rows.setNumber(newer - 1, fields.older, older);
    ends.size--;
  }

  private put(row: number, { offset }: Field<'u32'>, place: number): void {
    this.rows.changing(row).setUint32(this.rows.startOf(row) + offset, place, true);
  }

  /** Oldest first. */
  *all(): Generator<number> {
    let next = this.ends.oldest;
    while (next !== 0) {
      yield next - 1;
      next = this.rows.number(next - 1, this.fields.newer);
    }
  }
}

import type { Field } from './row-layout.ts';
import type { RowTable } from './row-table.ts';
import type { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/** Fields of a row that link it in a queue: row number of each neighbour plus one, 0 for none. */
export interface RowQueueFields {
  readonly older: Field<'u32'>;
  readonly newer: Field<'u32'>;
}

/**
 * A queue of table rows from which any row can be removed. A row is in one queue of the same fields
 * at a time. Its ends are stored, so that a restored queue has the same rows.
 */
export class RowQueue {
  private readonly rows: RowTable;
  private readonly fields: RowQueueFields;
  /** Oldest and newest row plus one, 0 for none. */
  private readonly ends: WordList;

  constructor(rows: RowTable, fields: RowQueueFields, undo: UndoLog, name: string) {
    this.rows = rows;
    this.fields = { older: fields.older, newer: fields.newer };
    this.ends = new WordList(undo, name);
  }

  /** The oldest row, -1 when the queue is empty. */
  get oldest(): number {
    return this.ends.get(OLDEST) - 1;
  }

  /** Appends a row that is in no queue of these fields. */
  push(row: number): void {
    const { rows, fields, ends } = this;
    const newest = ends.get(NEWEST);
    rows.setNumber(row, fields.older, newest);
    rows.setNumber(row, fields.newer, 0);
    if (newest === 0) ends.set(OLDEST, row + 1);
    else rows.setNumber(newest - 1, fields.newer, row + 1);
    ends.set(NEWEST, row + 1);
  }

  /** Removes a row of this queue. */
  remove(row: number): void {
    const { rows, fields, ends } = this;
    const older = rows.number(row, fields.older);
    const newer = rows.number(row, fields.newer);
    if (older === 0) ends.set(OLDEST, newer);
    else rows.setNumber(older - 1, fields.newer, newer);
    if (newer === 0) ends.set(NEWEST, older);
    else rows.setNumber(newer - 1, fields.older, older);
  }

  /** Moves a row of this queue to the end. */
  renew(row: number): void {
    if (this.ends.get(NEWEST) === row + 1) return;
    this.remove(row);
    this.push(row);
  }

  /** All rows, oldest first. The queue must not change meanwhile. */
  *all(): Generator<number> {
    for (let row = this.oldest; row !== -1; row = this.rows.number(row, this.fields.newer) - 1) {
      yield row;
    }
  }
}

const OLDEST = 0;
const NEWEST = 1;

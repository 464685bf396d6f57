import { type Field, rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/** Maximum entries of a log: the first ones, kept permanently, and the newest. Each at least 1. */
export interface LogBound {
  readonly first: number;
  readonly newest: number;
}

/** What the lists of one kind have in common. */
export interface LogOptions {
  /** The field of an entry that links to the following one: row plus one, 0 for none. */
  readonly next: Field<'u32'>;
  readonly bound: LogBound;
  /** Name of the table of lists. */
  readonly name: string;
}

/** Rows of entries plus one, 0 for none; `pin` is the last of the permanent first entries. */
export const LOG_LAYOUT = rowLayout({ first: 'u32', pin: 'u32', last: 'u32', count: 'u32' });
const FIELD = LOG_LAYOUT.fields;

/**
 * Bounded lists of rows of one table, each linked from the oldest to the newest. A full list evicts
 * its oldest entry that is not among the first ones. 16 bytes per list.
 */
export class BoundedLogs {
  readonly table: RowTable;
  private readonly entries: RowTable;
  private readonly next: Field<'u32'>;
  private readonly bound: LogBound;

  constructor(entries: RowTable, { next, bound, name }: LogOptions, undo: UndoLog) {
    this.table = new RowTable(LOG_LAYOUT, undo, name);
    this.entries = entries;
    this.next = next;
    this.bound = bound;
  }

  /** Creates an empty list. */
  open(): number {
    return this.table.add();
  }

  /** Adds an entry that is in no list of this kind; returns the evicted entry, or -1. */
  append(log: number, entry: number): number {
    const { table, entries, next, bound } = this;
    const count = table.number(log, FIELD.count) + 1;
    if (count === 1) table.setNumber(log, FIELD.first, entry + 1);
    else entries.setNumber(table.number(log, FIELD.last) - 1, next, entry + 1);
    table.setNumber(log, FIELD.last, entry + 1);
    if (count === bound.first) table.setNumber(log, FIELD.pin, entry + 1);
    if (count <= bound.first + bound.newest) {
      table.setNumber(log, FIELD.count, count);
      return -1;
    }
    const pin = table.number(log, FIELD.pin) - 1;
    const cut = entries.number(pin, next) - 1;
    entries.setNumber(pin, next, entries.number(cut, next));
    return cut;
  }

  countOf(log: number): number {
    return this.table.number(log, FIELD.count);
  }

  /** Whether the list has as many entries as it may have: it may have evicted others. */
  isFull(log: number): boolean {
    return this.countOf(log) === this.bound.first + this.bound.newest;
  }

  /** Entries, oldest first. */
  list(log: number): number[] {
    return this.map(log, (row) => row);
  }

  /** The result of `read` for each entry, oldest first, in one pass over the rows. */
  map<Result>(log: number, read: (row: number) => Result): Result[] {
    const { entries, next } = this;
    const results: Result[] = [];
    let entry = this.table.number(log, FIELD.first);
    while (entry !== 0) {
      const row = entry - 1;
      results.push(read(row));
      entry = entries.viewOf(row).getUint32(entries.startOf(row) + next.offset, true);
    }
    return results;
  }

  /** Deletes the list and returns its entries. */
  close(log: number): number[] {
    const listed = this.list(log);
    this.table.remove(log);
    return listed;
  }
}

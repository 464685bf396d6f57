import type { Field } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { BoundedLogs, type LogOptions } from './bounded-logs.ts';
import type { EntryRows } from './entry-rows.ts';

/** The field of a mint's row that links to its log of one kind: number plus one, 0 for none. */
export interface LogHead {
  readonly mints: RowTable;
  readonly field: Field<'u32'>;
}

/** The logs of all mints for one kind of entry. */
export class EntryLog<Entry> {
  readonly rows: EntryRows<Entry>;
  private readonly place: LogHead;
  private readonly logs: BoundedLogs;

  constructor(rows: EntryRows<Entry>, place: LogHead, options: LogOptions, undo: UndoLog) {
    this.rows = rows;
    this.place = place;
    this.logs = new BoundedLogs(rows.table, options, undo);
  }

  /** Adds an entry row to the log of a mint; returns true when another entry was evicted. */
  append(mint: number, entry: number): boolean {
    const { mints, field } = this.place;
    let log = mints.number(mint, field);
    if (log === 0) {
      log = this.logs.open() + 1;
      mints.setNumber(mint, field, log);
    }
    const cut = this.logs.append(log - 1, entry);
    if (cut === -1) return false;
    this.rows.remove(cut);
    return true;
  }

  /** The entries of a mint, given by its row and address; oldest first. */
  of(mint: number, name: Address): Entry[] {
    return this.map(mint, (entry) => this.rows.read(entry, name));
  }

  /** The result of `read` for each row of a mint's entries, oldest first. */
  map<Result>(mint: number, read: (entry: number) => Result): Result[] {
    const log = this.place.mints.number(mint, this.place.field);
    return log === 0 ? [] : this.logs.map(log - 1, read);
  }

  countOf(mint: number): number {
    const log = this.place.mints.number(mint, this.place.field);
    return log === 0 ? 0 : this.logs.countOf(log - 1);
  }

  forget(mint: number): void {
    const { mints, field } = this.place;
    const log = mints.number(mint, field);
    if (log === 0) return;
    for (const entry of this.logs.close(log - 1)) this.rows.remove(entry);
    mints.setNumber(mint, field, 0);
  }

  get allocatedBytes(): number {
    return this.rows.table.allocatedBytes + this.logs.table.allocatedBytes;
  }
}

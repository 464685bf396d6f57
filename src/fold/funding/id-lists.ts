import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';

/** Ids per row. */
const LISTED = 7;

/** Up to seven ids of a list; `next` is the row of the earlier ones plus one, 0 for none. */
export const IDS_LAYOUT = rowLayout({ ids: ['u32', LISTED], next: 'u32' });
const FIELD = IDS_LAYOUT.fields;

/**
 * Short lists of ids in linked rows of 32 bytes. The owner of a list stores its newest row plus
 * one, 0 for an empty list, and its number of ids.
 */
export class IdLists {
  private readonly rows: RowTable;

  constructor(undo: UndoLog, name: string) {
    this.rows = new RowTable(IDS_LAYOUT, undo, name);
  }

  /** `newest` and `count` are what the owner stores. */
  has(newest: number, count: number, id: number): boolean {
    let size = count % LISTED || LISTED;
    for (let at = newest; at !== 0; at = this.rows.number(at - 1, FIELD.next)) {
      for (let index = 0; index < size; index++) {
        if (this.rows.number(at - 1, FIELD.ids, index) === id) return true;
      }
      size = LISTED;
    }
    return false;
  }

  /** Adds an id to a list of `count` ids; returns its newest row plus one. */
  add(newest: number, count: number, id: number): number {
    const index = count % LISTED;
    if (index !== 0) {
      this.rows.setNumber(newest - 1, FIELD.ids, id, index);
      return newest;
    }
    const row = this.rows.add();
    this.rows.setNumber(row, FIELD.ids, id);
    this.rows.setNumber(row, FIELD.next, newest);
    return row + 1;
  }

  /** Removes a list. */
  remove(newest: number): void {
    for (let at = newest; at !== 0; ) {
      const row = at - 1;
      at = this.rows.number(row, FIELD.next);
      this.rows.remove(row);
    }
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes;
  }
}

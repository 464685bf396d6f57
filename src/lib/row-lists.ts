import { PairIndex } from './pair-index.ts';
import type { Field } from './row-layout.ts';
import type { RowTable } from './row-table.ts';
import type { UndoLog } from './undo-log.ts';

/**
 * Lists of table rows by number, for short lists: finding their end takes reading them. A row is in
 * one list at a time; a field of it has the next row plus one, 0 for none.
 */
export class RowLists {
  private readonly rows: RowTable;
  private readonly next: Field<'u32'>;
  /** The first row of each list; the first number of a pair is 0. */
  private readonly first: PairIndex;

  constructor(rows: RowTable, next: Field<'u32'>, undo: UndoLog, name: string) {
    this.rows = rows;
    this.next = next;
    this.first = new PairIndex(undo, name);
  }

  /** Whether a list has rows; false for the number -1. */
  has(list: number): boolean {
    return list !== -1 && this.first.get(0, list) !== -1;
  }

  /** The rows of a list in the order of `append`; none for the number -1. */
  of(list: number): number[] {
    return list === -1 ? [] : this.from(this.first.get(0, list));
  }

  /** The rows of all lists; the order of lists has no meaning. */
  all(): number[] {
    const found: number[] = [];
    this.first.forEachOf(0, (_, row) => {
      for (const each of this.from(row)) found.push(each);
    });
    return found;
  }

  /** Adds a row that is in no list, and whose field of the next row is 0. */
  append(list: number, row: number): void {
    const last = this.of(list).at(-1);
    if (last === undefined) this.first.set(0, list, row);
    else this.rows.setNumber(last, this.next, row + 1);
  }

  /** Removes a row of this list. Its field of the next row is 0 afterwards. */
  remove(list: number, row: number): void {
    const known = this.of(list);
    const at = known.indexOf(row);
    if (at === -1) throw new RangeError(`row ${row} is not in the list ${list}`);
    const [previous, next] = [known[at - 1], known[at + 1]];
    if (previous !== undefined) this.rows.setNumber(previous, this.next, (next ?? -1) + 1);
    else if (next === undefined) this.first.delete(0, list);
    else this.first.set(0, list, next);
    if (next !== undefined) this.rows.setNumber(row, this.next, 0);
  }

  private from(first: number): number[] {
    const found: number[] = [];
    for (let row = first; row !== -1; row = this.rows.number(row, this.next) - 1) found.push(row);
    return found;
  }
}

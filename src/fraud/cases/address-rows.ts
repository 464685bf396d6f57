import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import type { RowLayout, RowSpec } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

/** A table with one row per address, for some of all addresses. Rows are never removed. */
export class AddressRows {
  readonly table: RowTable;
  private readonly index: IdRows;

  constructor(layout: RowLayout<RowSpec>, undo: UndoLog, name: string) {
    this.table = new RowTable(layout, undo, name);
    this.index = new IdRows(undo, `${name} by address`);
  }

  /** The row of an address id, -1 when it has none, and for the id -1. */
  find(id: number): number {
    return this.index.get(id);
  }

  /** The row of an address, -1 when it has none. */
  rowOf(ids: AddressIds<Address>, address: Address): number {
    return this.rowOfId(ids.find(address));
  }

  /** The row of an address id, -1 when it has none, and for -1. */
  rowOfId(id: number): number {
    return this.index.get(id);
  }

  /** The row of an address id; a new row is all zeros. */
  open(id: number): number {
    const known = this.index.get(id);
    if (known !== -1) return known;
    const row = this.table.add();
    this.index.set(id, row);
    return row;
  }

  get size(): number {
    return this.table.size;
  }

  get allocatedBytes(): number {
    return this.table.allocatedBytes + this.index.allocatedBytes;
  }
}

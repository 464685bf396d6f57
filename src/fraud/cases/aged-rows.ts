import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import type { Field, RowLayout, RowSpec } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { AgeQueue, type QueueFields } from './age-queue.ts';

/** Fields of every aged row: the number it belongs to, and its queue links. */
export interface AgedFields extends QueueFields {
  readonly id: Field<'u32'>;
}

/** One row per address for a bounded number of addresses; evicts the least recently renewed. */
export class AgedRows {
  readonly table: RowTable;
  private readonly id: Field<'u32'>;
  private readonly max: number;
  private readonly index: PairIndex;
  private readonly queue: AgeQueue;

  constructor(
    layout: RowLayout<RowSpec> & { readonly fields: AgedFields },
    max: number,
    undo: UndoLog,
  ) {
    const { id } = layout.fields;
    this.table = new RowTable(layout, undo);
    this.id = id;
    this.max = max;
    this.index = new PairIndex(undo);
    this.queue = new AgeQueue(this.table, layout.fields, undo);
  }

  /** The row of a number, -1 when it has none. */
  find(id: number): number {
    return this.index.get(0, id);
  }

  /** The row of an address, -1 when it has none. */
  rowOf(ids: AddressIds<Address>, address: Address): number {
    const id = ids.find(address);
    return id === -1 ? -1 : this.find(id);
  }

  /** The row of a number, which becomes the last to be evicted; a new row is all zeros. */
  renew(id: number): number {
    const known = this.index.get(0, id);
    if (known !== -1) {
      this.queue.renew(known);
      return known;
    }
    if (this.queue.size >= this.max) this.removeOldest();
    const row = this.table.add();
    this.table.setNumber(row, this.id, id);
    this.index.set(0, id, row);
    this.queue.push(row);
    return row;
  }

  /** Rows in eviction order, each with its number. */
  *entries(): Generator<[id: number, row: number]> {
    for (const row of this.queue.all()) yield [this.table.number(row, this.id), row];
  }

  get size(): number {
    return this.queue.size;
  }

  get allocatedBytes(): number {
    return this.table.allocatedBytes + this.index.allocatedBytes;
  }

  private removeOldest(): void {
    const row = this.queue.oldest;
    this.queue.remove(row);
    this.index.delete(0, this.table.number(row, this.id));
    this.table.remove(row);
  }
}

import { PairIndex } from '../../lib/pair-index.ts';
import type { Field, RowLayout, RowSpec } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { AgeQueue, type QueueFields } from './age-queue.ts';

/** Fields that every such row has: the number it belongs to, and its place in line. */
export interface AgedFields extends QueueFields {
  readonly id: Field<'u32'>;
}

/** A row for each of a bounded number of addresses: the one renewed longest ago makes room. */
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

  /** -1 for a number that has no row. */
  find(id: number): number {
    return this.index.get(0, id);
  }

  /** The row of a number, which is then the last to make room; a new one is all zeros. */
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

  /** Rows as they make room, the next one first, each with its number. */
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

import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { POOL_LAYOUT } from './pool-row.ts';

/** The pool of a trade. */
export interface TradedPool {
  readonly pool: Address;
  readonly baseDecimals: number;
}

const FIELD = POOL_LAYOUT.fields;

/** The rows of pools, by address. A row is never removed. */
export class PoolRows {
  readonly table: RowTable;
  /** Row by the address id of a pool. */
  private readonly index: IdRows;
  private readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(POOL_LAYOUT, undo, 'traders of pools, sums');
    this.index = new IdRows(undo, 'traders of pools, sums by pool');
  }

  /** The row of a pool, -1 if it has none. */
  find(pool: Address): number {
    return this.index.get(this.ids.find(pool));
  }

  /** The row of a pool, which is created if there is none. */
  rowOf({ pool, baseDecimals }: TradedPool): number {
    const id = this.ids.idOf(pool);
    const known = this.index.get(id);
    if (known !== -1) return known;
    const row = this.table.add();
    this.table.setNumber(row, FIELD.address, id);
    this.table.setNumber(row, FIELD.baseDecimals, baseDecimals);
    this.index.set(id, row);
    return row;
  }

  addressOf(row: number): Address {
    return this.ids.addressOf(this.table.number(row, FIELD.address));
  }
}

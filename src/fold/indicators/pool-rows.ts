import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
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
  /** Keys: 0 and the address id of a pool. */
  private readonly index: PairIndex;
  private readonly ids: AddressIds<Address>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(POOL_LAYOUT, undo);
    this.index = new PairIndex(undo);
  }

  /** The row of a pool, -1 if it has none. */
  find(pool: Address): number {
    const id = this.ids.find(pool);
    return id === -1 ? -1 : this.index.get(0, id);
  }

  /** The row of a pool, which is created if there is none. */
  rowOf({ pool, baseDecimals }: TradedPool): number {
    const id = this.ids.idOf(pool);
    const known = this.index.get(0, id);
    if (known !== -1) return known;
    const row = this.table.add();
    this.table.setNumber(row, FIELD.address, id);
    this.table.setNumber(row, FIELD.baseDecimals, baseDecimals);
    this.index.set(0, id, row);
    return row;
  }

  addressOf(row: number): Address {
    return this.ids.addressOf(this.table.number(row, FIELD.address));
  }

  /** All pools with their rows, sorted by address. */
  sorted(): (readonly [pool: Address, row: number])[] {
    const { size } = this.table;
    const pools = Array.from({ length: size }, (_, row) => [this.addressOf(row), row] as const);
    return pools.sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

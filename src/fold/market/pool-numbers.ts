import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

/** The next pool of the same mint, and for the first one also the last: each plus one, 0 for none. */
const LAYOUT = rowLayout({ next: 'u32', last: 'u32' });

const { next, last } = LAYOUT.fields;

/**
 * Numbers pools, and lists those of each base mint in order of first sight. The numbers identify a
 * pool in other tables: they are as dense as the pools, unlike the ids of their addresses, most of
 * which are wallets. They follow the order of first sight, so no published answer may depend on
 * them. A pool takes 8 bytes, and 4 for the id of each address.
 */
export class PoolNumbers {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly numbers: IdRows;
  /** By the id of a mint. */
  private readonly firsts: IdRows;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'pools of mints');
    this.numbers = new IdRows(undo, 'pool numbers');
    this.firsts = new IdRows(undo, 'first pools of mints');
  }

  /** The number of a pool, -1 for any other address. */
  find(pool: Address): number {
    return this.findById(this.ids.find(pool));
  }

  /** The same by the id of an address, -1 for none. */
  findById(id: number): number {
    return this.numbers.get(id);
  }

  /** Numbers a pool that has no number yet. */
  add(pool: Address, baseMint: Address): number {
    const { rows, firsts } = this;
    const number = rows.add();
    this.numbers.set(this.ids.idOf(pool), number);
    const mint = this.ids.idOf(baseMint);
    const first = firsts.get(mint);
    if (first === -1) {
      firsts.set(mint, number);
    } else {
      const before = rows.number(first, last);
      rows.setNumber(before === 0 ? first : before - 1, next, number + 1);
      rows.setNumber(first, last, number + 1);
    }
    return number;
  }

  /** The first pool of a base mint, -1 if it has none. */
  firstOf(mint: Address): number {
    return this.firsts.get(this.ids.find(mint));
  }

  /** The pool of the same mint that was seen next, -1 for the last one. */
  after(number: number): number {
    return this.rows.number(number, next) - 1;
  }
}

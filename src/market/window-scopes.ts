import { IdRows } from '../lib/id-rows.ts';
import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { addToWide } from '../lib/wide-sum.ts';
import type { Address } from '../model/units.ts';
import { AddressNumbers } from './address-numbers.ts';
import { SCOPE_LAYOUT, wideByWindow } from './market-rows.ts';

const { fields } = SCOPE_LAYOUT;
const WIDE = {
  volumeUsd: wideByWindow(fields.volumeUsd),
  organicUsd: wideByWindow(fields.organicUsd),
  baseRaw: wideByWindow(fields.baseRaw),
  pricedBaseRaw: wideByWindow(fields.pricedBaseRaw),
};

/** Amounts that are summed by window. */
export type SummedAmount = keyof typeof WIDE;

export const SUMMED_AMOUNTS = Object.keys(WIDE) as SummedAmount[];

/** Counts that are summed by window. */
export type SummedCount = 'trades' | 'buys' | 'buyers' | 'sellers';

/** The pools and mints with buckets, and their sums by number of a window. */
export class WindowScopes {
  readonly rows: RowTable;
  private readonly numbers: AddressNumbers;
  private readonly rowOfNumber: IdRows;

  constructor(undo: UndoLog) {
    this.rows = new RowTable(SCOPE_LAYOUT, undo, 'market scopes') as RowTable;
    this.numbers = new AddressNumbers(undo, 'market addresses');
    this.rowOfNumber = new IdRows(undo, 'market scopes by number');
  }

  get allocatedBytes(): number {
    const { rows, numbers, rowOfNumber } = this;
    return rows.allocatedBytes + numbers.allocatedBytes + rowOfNumber.allocatedBytes;
  }

  /** -1 without buckets. */
  find(address: Address): number {
    return this.rowOfNumber.get(this.numbers.find(address));
  }

  ensure(address: Address): number {
    const known = this.find(address);
    if (known !== -1) return known;
    const row = this.rows.add();
    const number = this.numbers.use(address);
    this.rows.setNumber(row, fields.number, number);
    this.rowOfNumber.set(number, row);
    return row;
  }

  remove(row: number): void {
    const number = this.rows.number(row, fields.number);
    this.rowOfNumber.delete(number);
    this.numbers.release(number);
    this.rows.remove(row);
  }

  addressOf(row: number): Address {
    return this.numbers.addressOf(this.rows.number(row, fields.number));
  }

  addCount(row: number, name: SummedCount, window: number, change: number): void {
    if (change === 0) return;
    const { rows } = this;
    rows.setNumber(row, fields[name], rows.number(row, fields[name], window) + change, window);
  }

  addAmount(row: number, name: SummedAmount, window: number, change: bigint): void {
    const field = WIDE[name][window];
    if (field !== undefined) addToWide(this.rows, row, field, change);
  }
}

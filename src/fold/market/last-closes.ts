import { IdRows } from '../../lib/id-rows.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { asPriceE18, type PriceE18 } from '../../model/units.ts';

/** The words of 64 bits of a price, the lowest first: PRICE_MAX has 255 bits. */
const WORDS = 4;
const LAYOUT = rowLayout({ closeUsd: ['u64', WORDS] });
const { closeUsd: CLOSE } = LAYOUT.fields;

/**
 * The close in USD of the last final candle of each pool and mint, by id: 32 bytes for each that ever
 * had a price, and four for each id.
 */
export class LastCloses {
  private readonly rows: RowTable;
  private readonly index: IdRows;

  constructor(undo = new UndoLog()) {
    this.rows = new RowTable(LAYOUT, undo, 'last closes');
    this.index = new IdRows(undo, 'last closes by scope');
  }

  /** Null before the first price. */
  get(id: number): PriceE18 | null {
    const row = this.index.get(id);
    if (row === -1) return null;
    let close = 0n;
    for (let word = WORDS - 1; word >= 0; word--) {
      close = (close << 64n) + this.rows.bigint(row, CLOSE, word);
    }
    return asPriceE18(close);
  }

  set(id: number, close: PriceE18): void {
    let row = this.index.get(id);
    if (row === -1) {
      row = this.rows.add();
      this.index.set(id, row);
    }
    let rest: bigint = close;
    for (let word = 0; word < WORDS; word++) {
      this.rows.setBigint(row, CLOSE, BigInt.asUintN(64, rest), word);
      rest >>= 64n;
    }
  }
}

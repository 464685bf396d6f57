import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Slot } from '../../model/units.ts';

/** A wallet's first purchase of a mint; both are address ids. */
export interface FirstBuy {
  readonly mint: number;
  readonly wallet: number;
  readonly slot: Slot;
}

/** Links are rows plus one, 0 for none. */
const FIRST_BUY_LAYOUT = rowLayout({
  mint: 'u32',
  wallet: 'u32',
  slot: 'u32',
  /** The purchase after this one, of any mint. */
  next: 'u32',
  /** Purchases of the same mint before and after this one. */
  olderOfMint: 'u32',
  newerOfMint: 'u32',
});
const FIELD = FIRST_BUY_LAYOUT.fields;

/** First purchases of mints in the most recent slots, 24 bytes each, in the order of addition. */
export class RecentFirstBuys {
  private readonly undo: UndoLog;
  private readonly rows: RowTable;
  /** Keys: 0 and a mint; the row of its newest purchase. */
  private readonly newest: PairIndex;
  /** First and last row plus one, 0 for none. */
  private readonly ends: StateValue<{ oldest: number; newest: number }>;

  constructor(undo: UndoLog) {
    this.undo = undo;
    this.rows = new RowTable(FIRST_BUY_LAYOUT, undo, 'recent first purchases');
    this.newest = new PairIndex(undo, 'recent first purchases by mint');
    this.ends = new StateValue({ oldest: 0, newest: 0 }, undo, 'recent first purchases ends');
  }

  /** Number of purchases. */
  get size(): number {
    return this.rows.size;
  }

  /** Adds a purchase; slots must not decrease between calls. */
  add({ mint, wallet, slot }: FirstBuy): void {
    const { rows } = this;
    const ends = this.ends.now;
    const row = rows.add();
    const older = this.newest.get(0, mint);
    rows.setNumber(row, FIELD.mint, mint);
    rows.setNumber(row, FIELD.wallet, wallet);
    rows.setNumber(row, FIELD.slot, slot);
    rows.setNumber(row, FIELD.olderOfMint, older + 1);
    if (older !== -1) rows.setNumber(older, FIELD.newerOfMint, row + 1);
    this.newest.set(0, mint, row);
    this.undo.keep(ends);
    if (ends.newest === 0) ends.oldest = row + 1;
    else rows.setNumber(ends.newest - 1, FIELD.next, row + 1);
    ends.newest = row + 1;
  }

  /** The newest other buyers of the mint in earlier slots, each once, latest first. */
  buyersBefore({ mint, wallet, slot }: FirstBuy, countMax: number): number[] {
    const { rows } = this;
    const found: number[] = [];
    let row = this.newest.get(0, mint);
    for (; row !== -1; row = rows.number(row, FIELD.olderOfMint) - 1) {
      if (rows.number(row, FIELD.slot) >= slot) continue;
      const buyer = rows.number(row, FIELD.wallet);
      if (buyer === wallet || found.includes(buyer)) continue;
      if (found.push(buyer) === countMax) break;
    }
    return found;
  }

  /** Removes purchases before a slot. */
  forgetBefore(slot: number): void {
    const { rows } = this;
    const ends = this.ends.now;
    while (ends.oldest !== 0 && rows.number(ends.oldest - 1, FIELD.slot) < slot) {
      const row = ends.oldest - 1;
      this.undo.keep(ends);
      ends.oldest = rows.number(row, FIELD.next);
      if (ends.oldest === 0) ends.newest = 0;
      this.remove(row);
    }
  }

  /** Removes the oldest purchase of a mint. */
  private remove(row: number): void {
    const newer = this.rows.number(row, FIELD.newerOfMint) - 1;
    if (newer === -1) this.newest.delete(0, this.rows.number(row, FIELD.mint));
    else this.rows.setNumber(newer, FIELD.olderOfMint, 0);
    this.rows.remove(row);
  }
}

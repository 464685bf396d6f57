import type { AddressIds } from '../lib/address-ids.ts';
import { rowLayout } from '../lib/row-layout.ts';
import { RowLists } from '../lib/row-lists.ts';
import { RowQueue } from '../lib/row-queue.ts';
import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import type { Address } from '../model/units.ts';

const LAYOUT = rowLayout({
  horizonMs: 'f64',
  lastSwapMs: 'f64',
  wakeMs: 'f64',
  isTrading: 'u8',
  /** The next signal of the mint plus one, 0 for none. */
  next: 'u32',
  older: 'u32',
  newer: 'u32',
});
const { fields: FIELDS } = LAYOUT;

/**
 * What is read of followed signals in most minutes, 40 bytes each: the signals of each mint, oldest
 * first; when each ends; and those with an open position, with the time at which it changes next.
 */
export class FollowedRows {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** By the id of the mint. */
  private readonly lists: RowLists;
  private readonly trading: RowQueue;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'followed signals');
    this.lists = new RowLists(this.rows, FIELDS.next, undo, 'followed signals by mint');
    this.trading = new RowQueue(this.rows, FIELDS, undo, 'followed signals trading');
  }

  get size(): number {
    return this.rows.size;
  }

  /** Whether there is a signal of the mint. */
  has(mint: Address): boolean {
    return this.lists.has(this.ids.find(mint));
  }

  /** Signals of a mint, oldest first. */
  of(mint: Address): number[] {
    return this.lists.of(this.ids.find(mint));
  }

  /** All signals, in no useful order. */
  all(): number[] {
    return this.lists.all();
  }

  /** Adds a signal of a mint whose position is not open. */
  add(mint: Address, times: { readonly horizonMs: number; readonly lastSwapMs: number }): number {
    const row = this.rows.add();
    this.rows.setNumber(row, FIELDS.horizonMs, times.horizonMs);
    this.rows.setNumber(row, FIELDS.lastSwapMs, times.lastSwapMs);
    this.lists.append(this.ids.idOf(mint), row);
    return row;
  }

  /** Removes a signal whose position is not open. */
  remove(mint: Address, row: number): void {
    this.lists.remove(this.ids.idOf(mint), row);
    this.rows.remove(row);
  }

  /** When the signal's outcome is final, if the token is not traded for `deadMs` before. */
  endMs(row: number, deadMs: number): number {
    const { rows } = this;
    const deathMs = rows.number(row, FIELDS.lastSwapMs) + deadMs;
    return Math.min(rows.number(row, FIELDS.horizonMs), deathMs);
  }

  /** Notes a swap of the token; earlier ones change nothing. */
  noteSwap(row: number, timeMs: number): void {
    if (timeMs <= this.rows.number(row, FIELDS.lastSwapMs)) return;
    this.rows.setNumber(row, FIELDS.lastSwapMs, timeMs);
  }

  isTrading(row: number): boolean {
    return this.rows.number(row, FIELDS.isTrading) === 1;
  }

  /** Sets after which time the open position of a signal changes next; null once it is closed. */
  setWake(row: number, wakeMs: number | null): void {
    const { rows } = this;
    if (wakeMs !== null && rows.number(row, FIELDS.wakeMs) !== wakeMs) {
      rows.setNumber(row, FIELDS.wakeMs, wakeMs);
    }
    const isTrading = wakeMs !== null;
    if (isTrading === this.isTrading(row)) return;
    rows.setNumber(row, FIELDS.isTrading, Number(isTrading));
    if (isTrading) this.trading.push(row);
    else this.trading.remove(row);
  }

  /** Signals whose position changes before `nowMs`. */
  wakeBefore(nowMs: number): number[] {
    const rows = [...this.trading.all()];
    return rows.filter((row) => this.rows.number(row, FIELDS.wakeMs) < nowMs);
  }
}

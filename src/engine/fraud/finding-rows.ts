import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowQueue } from '../../lib/row-queue.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

const LAYOUT = rowLayout({
  confidence: 'f64',
  weakSinceMs: 'f64',
  isWeak: 'u8',
  /** The next finding of the mint plus one, 0 for none. */
  next: 'u32',
  older: 'u32',
  newer: 'u32',
});
const { fields: FIELDS } = LAYOUT;

/**
 * What is read of findings in most slots, 40 bytes each: the findings of each mint, oldest first,
 * their confidence as last published, and the queue of weak findings, weak for longest first.
 */
export class FindingRows {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** The first finding by the id of the mint; the first number is 0. */
  private readonly first: PairIndex;
  private readonly lapsing: RowQueue;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'finding rows');
    this.first = new PairIndex(undo, 'finding rows by mint');
    this.lapsing = new RowQueue(this.rows, FIELDS, undo, 'finding rows lapsing');
  }

  get size(): number {
    return this.rows.size;
  }

  /** Rows of a mint, oldest first. */
  of(mint: Address): number[] {
    const found: number[] = [];
    const id = this.ids.find(mint);
    let row = id === -1 ? -1 : this.first.get(0, id);
    for (; row !== -1; row = this.rows.number(row, FIELDS.next) - 1) found.push(row);
    return found;
  }

  /** Adds a row of a mint, neither weak nor published. */
  add(mint: Address): number {
    const newest = this.of(mint).at(-1);
    const row = this.rows.add();
    if (newest === undefined) this.first.set(0, this.ids.idOf(mint), row);
    else this.rows.setNumber(newest, FIELDS.next, row + 1);
    return row;
  }

  remove(mint: Address, row: number): void {
    this.setStrong(row);
    const next = this.rows.number(row, FIELDS.next) - 1;
    const known = this.of(mint);
    const previous = known[known.indexOf(row) - 1];
    if (previous !== undefined) this.rows.setNumber(previous, FIELDS.next, next + 1);
    else if (next === -1) this.first.delete(0, this.ids.idOf(mint));
    else this.first.set(0, this.ids.idOf(mint), next);
    this.rows.remove(row);
  }

  /** As last published; 0 before. */
  confidence(row: number): number {
    return this.rows.number(row, FIELDS.confidence);
  }

  setConfidence(row: number, confidence: number): void {
    this.rows.setNumber(row, FIELDS.confidence, confidence);
  }

  /** Marks a finding as too weak since `timeMs`, unless it is already. */
  setWeak(row: number, timeMs: number): void {
    if (this.rows.number(row, FIELDS.isWeak) === 1) return;
    this.rows.setNumber(row, FIELDS.isWeak, 1);
    this.rows.setNumber(row, FIELDS.weakSinceMs, timeMs);
    this.lapsing.push(row);
  }

  setStrong(row: number): void {
    if (this.rows.number(row, FIELDS.isWeak) === 0) return;
    this.rows.setNumber(row, FIELDS.isWeak, 0);
    this.rows.setNumber(row, FIELDS.weakSinceMs, 0);
    this.lapsing.remove(row);
  }

  /** The finding that is weak for longest, if that was at `timeMs` or before; otherwise -1. */
  weakBefore(timeMs: number): number {
    const row = this.lapsing.oldest;
    return row !== -1 && this.rows.number(row, FIELDS.weakSinceMs) <= timeMs ? row : -1;
  }
}

import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowLists } from '../../lib/row-lists.ts';
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
  /** By the id of the mint. */
  private readonly lists: RowLists;
  private readonly lapsing: RowQueue;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'finding rows');
    this.lists = new RowLists(this.rows, FIELDS.next, undo, 'finding rows by mint');
    this.lapsing = new RowQueue(this.rows, FIELDS, undo, 'finding rows lapsing');
  }

  get size(): number {
    return this.rows.size;
  }

  /** Rows of a mint, oldest first. */
  of(mint: Address): number[] {
    return this.lists.of(this.ids.find(mint));
  }

  /** Adds a row of a mint, neither weak nor published. */
  add(mint: Address): number {
    const row = this.rows.add();
    this.lists.append(this.ids.idOf(mint), row);
    return row;
  }

  remove(mint: Address, row: number): void {
    this.setStrong(row);
    this.lists.remove(this.ids.idOf(mint), row);
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

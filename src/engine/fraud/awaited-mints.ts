import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowQueue } from '../../lib/row-queue.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

const LAYOUT = rowLayout({
  mint: 'u32',
  viewedSlot: 'f64',
  viewedMs: 'f64',
  viewedEntries: 'u32',
  dueMs: 'f64',
  soldRaw: 'u64',
  updates: 'u32',
  isUrgent: 'u8',
  isWellFounded: 'u8',
  routineOlder: 'u32',
  routineNewer: 'u32',
  urgentOlder: 'u32',
  urgentNewer: 'u32',
});
const { fields: FIELDS } = LAYOUT;
const SOLD_RAW_MAX = 2n ** 64n - 1n;

/** The last evaluation of a mint. */
export interface Evaluation {
  readonly slot: number;
  readonly timeMs: number;
  /** Entries of the case then. */
  readonly entries: number;
}

/** The state of a mint with recent updates. */
export interface AwaitedMint {
  /** Slot and time of the last evaluation, and the entries of its case then; 0 before the first. */
  readonly viewed: Evaluation;
  /** Time of the next routine evaluation. */
  readonly dueMs: number;
  /** Slots with updates since the last evaluation. */
  readonly updates: number;
  /** Whether it is in the urgent queue. */
  readonly isUrgent: boolean;
  /** Whether one of the stronger reasons put it there. */
  readonly isWellFounded: boolean;
}

/** A mint after an update. */
export interface UpdatedMint extends Pick<AwaitedMint, 'isUrgent' | 'isWellFounded'> {
  /** Sold since the last evaluation. */
  readonly soldRaw: bigint;
}

/**
 * Mints with recent updates, one row each. Every mint is in the routine queue, in the order in which
 * mints become due; some are in the urgent queue, in the order in which they became urgent.
 */
export class AwaitedMints {
  readonly routine: RowQueue;
  readonly urgent: RowQueue;
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** By the id of the mint; the first number is 0. */
  private readonly index: PairIndex;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'awaited mints');
    this.index = new PairIndex(undo, 'awaited mints index');
    const { routineOlder, routineNewer, urgentOlder, urgentNewer } = FIELDS;
    const routine = { older: routineOlder, newer: routineNewer };
    const urgent = { older: urgentOlder, newer: urgentNewer };
    this.routine = new RowQueue(this.rows, routine, undo, 'awaited mints routine');
    this.urgent = new RowQueue(this.rows, urgent, undo, 'awaited mints urgent');
  }

  get size(): number {
    return this.rows.size;
  }

  /** The row of a mint, -1 if there is none. */
  find(mint: Address): number {
    const id = this.ids.find(mint);
    return id === -1 ? -1 : this.index.get(0, id);
  }

  /** Adds a mint, in no queue, and returns its row. */
  add(mint: Address): number {
    const id = this.ids.idOf(mint);
    const row = this.rows.add();
    this.rows.setNumber(row, FIELDS.mint, id);
    this.index.set(0, id, row);
    return row;
  }

  /** Removes a row that is in no queue. */
  remove(row: number): void {
    this.index.delete(0, this.rows.number(row, FIELDS.mint));
    this.rows.remove(row);
  }

  mintOf(row: number): Address {
    return this.ids.addressOf(this.rows.number(row, FIELDS.mint));
  }

  read(row: number): AwaitedMint {
    const { rows } = this;
    return {
      viewed: {
        slot: rows.number(row, FIELDS.viewedSlot),
        timeMs: rows.number(row, FIELDS.viewedMs),
        entries: rows.number(row, FIELDS.viewedEntries),
      },
      dueMs: rows.number(row, FIELDS.dueMs),
      updates: rows.number(row, FIELDS.updates),
      isUrgent: rows.number(row, FIELDS.isUrgent) === 1,
      isWellFounded: rows.number(row, FIELDS.isWellFounded) === 1,
    };
  }

  /** Adds the update of a slot. */
  noteUpdate(row: number, soldRaw: bigint): UpdatedMint {
    // Every mint that trades gets here in every slot.
    const view = this.rows.changing(row);
    const at = this.rows.startOf(row);
    const updates = view.getUint32(at + FIELDS.updates.offset, true);
    view.setUint32(at + FIELDS.updates.offset, updates + 1, true);
    let soldRawSum = view.getBigUint64(at + FIELDS.soldRaw.offset, true);
    if (soldRaw > 0n) {
      soldRawSum += soldRaw;
      // No supply exceeds the maximum: it is as good as any larger sum.
      if (soldRawSum > SOLD_RAW_MAX) soldRawSum = SOLD_RAW_MAX;
      view.setBigUint64(at + FIELDS.soldRaw.offset, soldRawSum, true);
    }
    return {
      soldRaw: soldRawSum,
      isUrgent: view.getUint8(at + FIELDS.isUrgent.offset) === 1,
      isWellFounded: view.getUint8(at + FIELDS.isWellFounded.offset) === 1,
    };
  }

  /**
   * Urgent mints that waited a slot for each so many entries of their last case, in the order in
   * which they became urgent.
   */
  readyAt(slot: number, entriesPerSlot: (isWellFounded: boolean) => number): number[] {
    const ready: number[] = [];
    const { rows } = this;
    for (let row = this.urgent.oldest; row !== -1; ) {
      const view = rows.viewOf(row);
      const at = rows.startOf(row);
      const waited = slot - view.getFloat64(at + FIELDS.viewedSlot.offset, true);
      const entries = view.getUint32(at + FIELDS.viewedEntries.offset, true);
      const perSlot = entriesPerSlot(view.getUint8(at + FIELDS.isWellFounded.offset) === 1);
      if (waited >= Math.floor(entries / perSlot)) ready.push(row);
      row = view.getUint32(at + FIELDS.urgentNewer.offset, true) - 1;
    }
    return ready;
  }

  /** Whether one of the stronger reasons made a mint urgent. */
  isWellFounded(row: number): boolean {
    return this.rows.number(row, FIELDS.isWellFounded) === 1;
  }

  /** Marks a mint as evaluated: nothing happened since. */
  setViewed(row: number, { slot, timeMs, entries }: Evaluation): void {
    const { rows } = this;
    rows.setNumber(row, FIELDS.viewedSlot, slot);
    rows.setNumber(row, FIELDS.viewedMs, timeMs);
    rows.setNumber(row, FIELDS.viewedEntries, entries);
    rows.setBigint(row, FIELDS.soldRaw, 0n);
    rows.setNumber(row, FIELDS.updates, 0);
  }

  setDue(row: number, timeMs: number): void {
    this.rows.setNumber(row, FIELDS.dueMs, timeMs);
  }

  setWellFounded(row: number, isWellFounded: boolean): void {
    this.rows.setNumber(row, FIELDS.isWellFounded, Number(isWellFounded));
  }

  /** Appends a mint to the urgent queue. */
  beginUrgent(row: number): void {
    this.rows.setNumber(row, FIELDS.isUrgent, 1);
    this.urgent.push(row);
  }

  /** Removes a mint from the urgent queue. */
  endUrgent(row: number): void {
    this.rows.setNumber(row, FIELDS.isUrgent, 0);
    this.urgent.remove(row);
  }
}

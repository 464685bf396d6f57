import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { IdLists } from './id-lists.ts';

/** A sponsor pays for this many owners, in this many mints, within a week (METHODS §0.5). */
export const SPONSORED_OWNERS = 50;
export const SPONSORED_MINTS = 10;
const WEEK_MS = 7 * 86_400_000;

/** The owners and mints that a fee payer paid for, one of each in the row and others in lists. */
export const SPONSORSHIP_LAYOUT = rowLayout({
  /** The counts last one week from this time. */
  sinceMs: 'f64',
  owner: 'u32',
  mint: 'u32',
  /** Newest rows of the further owners and mints plus one, 0 for none (id-lists.ts). */
  moreOwners: 'u32',
  moreMints: 'u32',
  owners: 'u8',
  mints: 'u8',
  /** 1 for a sponsor, which is not counted any further. */
  isSponsor: 'u8',
});
const FIELD = SPONSORSHIP_LAYOUT.fields;

/** The fields of the owners or mints of a fee payer, and how many of them matter. */
interface Members {
  readonly first: 'owner' | 'mint';
  readonly more: 'moreOwners' | 'moreMints';
  readonly count: 'owners' | 'mints';
  readonly max: number;
}

const OWNERS: Members = {
  first: 'owner',
  more: 'moreOwners',
  count: 'owners',
  max: SPONSORED_OWNERS,
};
const MINTS: Members = {
  first: 'mint',
  more: 'moreMints',
  count: 'mints',
  max: SPONSORED_MINTS,
};

/**
 * Detects fee payers that pay for many unrelated owners: relays and terminals. A common payer of
 * this kind links nothing. Weeks are consecutive, counted from a payer's first payment; a sponsor
 * stays one. A payer for one owner takes 32 bytes and its index entry.
 */
export class SponsorWatch {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly lists: IdLists;
  /** Row by the address id of a payer. */
  private readonly index: IdRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new RowTable(SPONSORSHIP_LAYOUT, undo, 'fee payers');
    this.lists = new IdLists(undo, 'owners and mints of fee payers');
    this.index = new IdRows(undo, 'fee payers by address');
  }

  /** Counts a payment. Returns whether it made the payer a sponsor. */
  note(payer: Address, owner: Address, mint: Address, timeMs: number): boolean {
    const row = this.rowOf(this.ids.idOf(payer), timeMs);
    if (this.rows.number(row, FIELD.isSponsor) === 1) return false;
    if (timeMs - this.rows.number(row, FIELD.sinceMs) >= WEEK_MS) this.restart(row, timeMs);
    this.add(row, OWNERS, this.ids.idOf(owner));
    this.add(row, MINTS, this.ids.idOf(mint));
    if (this.rows.number(row, FIELD.owners) < SPONSORED_OWNERS) return false;
    if (this.rows.number(row, FIELD.mints) < SPONSORED_MINTS) return false;
    this.restart(row, timeMs);
    this.rows.setNumber(row, FIELD.isSponsor, 1);
    return true;
  }

  /** `id` is the id of an address, -1 for none. */
  has(id: number): boolean {
    const row = this.index.get(id);
    return row !== -1 && this.rows.number(row, FIELD.isSponsor) === 1;
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.lists.allocatedBytes + this.index.allocatedBytes;
  }

  private rowOf(payer: number, timeMs: number): number {
    const known = this.index.get(payer);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.rows.setNumber(row, FIELD.sinceMs, timeMs);
    this.index.set(payer, row);
    return row;
  }

  /** Removes all owners and mints. */
  private restart(row: number, timeMs: number): void {
    for (const { first, more, count } of [OWNERS, MINTS]) {
      this.lists.remove(this.rows.number(row, FIELD[more]));
      for (const name of [first, more, count]) this.rows.setNumber(row, FIELD[name], 0);
    }
    this.rows.setNumber(row, FIELD.sinceMs, timeMs);
  }

  /** Adds an owner or mint, unless there are enough already. */
  private add(row: number, { first, more, count, max }: Members, id: number): void {
    const { rows, lists } = this;
    const members = rows.number(row, FIELD[count]);
    if (members >= max) return;
    if (members === 0) rows.setNumber(row, FIELD[first], id);
    else {
      const newest = rows.number(row, FIELD[more]);
      const isKnown = rows.number(row, FIELD[first]) === id || lists.has(newest, members - 1, id);
      if (isKnown) return;
      rows.setNumber(row, FIELD[more], lists.add(newest, members - 1, id));
    }
    rows.setNumber(row, FIELD[count], members + 1);
  }
}

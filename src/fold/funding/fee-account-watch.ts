import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { NameNumbers } from '../../lib/name-numbers.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';

/** An account paid in more than 3 of 10 swaps of a venue in an hour takes fees (METHODS §0.5). */
const SHARE_OF_TEN = 3;
/** With fewer swaps per hour there is not enough evidence. */
const SWAPS_MIN = 100;
const HOUR_MS = 3_600_000;
/** With 32 counters, a count is too low by at most 1 / 33 of all counted payments. */
const COUNTERS = 32;

/** A detected account: the number of its venue, and when it was detected. */
export const FEE_ACCOUNT_LAYOUT = rowLayout({ sinceMs: 'f64', venue: 'u32' });
const FIELD = FEE_ACCOUNT_LAYOUT.fields;

/** Payments in the swaps of one venue since the beginning of the hour. */
const VENUE_LAYOUT = rowLayout({
  hour: 'f64',
  swaps: 'u32',
  /** Address ids with a counter, and their counts; a count of 0 is a free counter. */
  paid: ['u32', COUNTERS],
  counts: ['u32', COUNTERS],
});
const VENUE = VENUE_LAYOUT.fields;

/**
 * Detects accounts that are paid in many swaps of a venue: fee accounts that may be missing from
 * the registry. Uses the Misra–Gries algorithm, whose counts may be too low but never too high.
 */
export class FeeAccountWatch {
  private readonly ids: AddressIds<Address>;
  private readonly venues: RowTable;
  /** Row of `venues` by the number of a venue. */
  private readonly venueRows: IdRows;
  private readonly learned: RowTable;
  /** Keys: 0 and the address id of a detected account. */
  private readonly index: PairIndex;
  /** Numbers of venues, to which rows refer. */
  private readonly venueNumbers: NameNumbers<Venue>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.venues = new RowTable(VENUE_LAYOUT, undo, 'fees of venues');
    this.venueRows = new IdRows(undo, 'fees of venues by venue');
    this.learned = new RowTable(FEE_ACCOUNT_LAYOUT, undo, 'detected fee accounts');
    this.index = new PairIndex(undo, 'detected fee accounts by address');
    this.venueNumbers = new NameNumbers(undo, 'venues of fees');
  }

  /**
   * Counts one transaction's swap and the addresses that its trader paid in addition to the pool.
   * Returns the ids of those that were detected by it.
   */
  note(venue: Venue, paid: Iterable<Address>, timeMs: number): readonly number[] {
    const learned: number[] = [];
    const number = this.venueNumbers.numberOf(venue);
    const row = this.rowOf(number, Math.floor(timeMs / HOUR_MS));
    const swaps = this.venues.number(row, VENUE.swaps) + 1;
    this.venues.setNumber(row, VENUE.swaps, swaps);
    for (const address of new Set(paid)) {
      const id = this.ids.idOf(address);
      if (this.has(id)) continue;
      const count = this.count(row, id);
      if (swaps < SWAPS_MIN || count * 10 <= swaps * SHARE_OF_TEN) continue;
      this.learn(id, number, timeMs);
      learned.push(id);
    }
    return learned;
  }

  /** `id` is the id of an address, -1 for none. */
  has(id: number): boolean {
    return id !== -1 && this.index.get(0, id) !== -1;
  }

  /** All detected accounts, for manual review and addition to the registry. */
  all(): (LearnedFeeAccount & { readonly address: Address })[] {
    const accounts = Array.from(this.index.entries(), ([, id, row]) => ({
      address: this.ids.addressOf(id),
      venue: this.venueNumbers.nameOf(this.learned.number(row, FIELD.venue)),
      sinceMs: this.learned.number(row, FIELD.sinceMs),
    }));
    return accounts.sort((one, other) => (one.address < other.address ? -1 : 1));
  }

  private learn(id: number, venue: number, timeMs: number): void {
    const row = this.learned.add();
    this.learned.setNumber(row, FIELD.venue, venue);
    this.learned.setNumber(row, FIELD.sinceMs, timeMs);
    this.index.set(0, id, row);
  }

  /** The row of a venue, whose counts begin again with each hour. */
  private rowOf(venue: number, hour: number): number {
    const { venues } = this;
    const known = this.venueRows.get(venue);
    if (known !== -1 && venues.number(known, VENUE.hour) === hour) return known;
    const row = known === -1 ? venues.add() : known;
    if (known === -1) this.venueRows.set(venue, row);
    venues.setNumber(row, VENUE.hour, hour);
    venues.setNumber(row, VENUE.swaps, 0);
    for (let at = 0; at < COUNTERS; at++) this.setCounter(row, at, 0, 0);
    return row;
  }

  /** Counts a payment to an address; returns its count, which may be too low. */
  private count(row: number, id: number): number {
    const { venues } = this;
    let free = -1;
    for (let at = 0; at < COUNTERS; at++) {
      const count = venues.number(row, VENUE.counts, at);
      if (count === 0) free = at;
      else if (venues.number(row, VENUE.paid, at) === id) {
        venues.setNumber(row, VENUE.counts, count + 1, at);
        return count + 1;
      }
    }
    if (free !== -1) {
      this.setCounter(row, free, id, 1);
      return 1;
    }
    for (let at = 0; at < COUNTERS; at++) {
      venues.setNumber(row, VENUE.counts, venues.number(row, VENUE.counts, at) - 1, at);
    }
    return 0;
  }

  private setCounter(row: number, at: number, id: number, count: number): void {
    this.venues.setNumber(row, VENUE.paid, id, at);
    this.venues.setNumber(row, VENUE.counts, count, at);
  }
}

export interface LearnedFeeAccount {
  readonly venue: Venue;
  readonly sinceMs: number;
}

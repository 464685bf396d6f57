import type { AddressIds } from '../../lib/address-ids.ts';
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
export interface VenuePayments {
  hour: number;
  swaps: number;
  readonly counters: Map<number, number>;
}

/**
 * Detects accounts that are paid in many swaps of a venue: fee accounts that may be missing from
 * the registry. Uses the Misra–Gries algorithm, whose counts may be too low but never too high.
 */
export class FeeAccountWatch {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly venues = new Map<Venue, VenuePayments>();
  private readonly learned: RowTable;
  /** Keys: 0 and the address id of a detected account. */
  private readonly index: PairIndex;
  /** The venues of detected accounts, to which their rows refer. */
  private readonly venueNumbers: NameNumbers<Venue>;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.undo = undo;
    this.ids = ids;
    this.learned = new RowTable(FEE_ACCOUNT_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.venueNumbers = new NameNumbers(undo);
  }

  /**
   * Counts one transaction's swap and the addresses that its trader paid in addition to the pool.
   */
  note(venue: Venue, paid: Iterable<Address>, timeMs: number): void {
    const payments = this.paymentsOf(venue, Math.floor(timeMs / HOUR_MS));
    this.undo.keep(payments);
    payments.swaps++;
    for (const address of new Set(paid)) {
      const id = this.ids.idOf(address);
      if (this.has(id)) continue;
      const count = this.count(payments.counters, id);
      if (payments.swaps < SWAPS_MIN || count * 10 <= payments.swaps * SHARE_OF_TEN) continue;
      this.learn(id, venue, timeMs);
    }
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

  *digestRows(): Iterable<string> {
    for (const { address, venue, sinceMs } of this.all()) {
      yield `fee account ${address} ${venue} ${sinceMs}`;
    }
    for (const venue of [...this.venues.keys()].sort()) {
      const payments = this.venues.get(venue);
      if (payments === undefined) continue;
      const counters = [...payments.counters].map(
        ([id, count]) => `${this.ids.addressOf(id)} ${count}`,
      );
      yield `fees of ${venue} ${payments.hour} ${payments.swaps} ${counters.sort().join(' ')}`;
    }
  }

  private learn(id: number, venue: Venue, timeMs: number): void {
    const row = this.learned.add();
    this.learned.setNumber(row, FIELD.venue, this.venueNumbers.numberOf(venue));
    this.learned.setNumber(row, FIELD.sinceMs, timeMs);
    this.index.set(0, id, row);
  }

  private paymentsOf(venue: Venue, hour: number): VenuePayments {
    const known = this.venues.get(venue);
    if (known !== undefined && known.hour === hour) return known;
    const payments = { hour, swaps: 0, counters: new Map<number, number>() };
    this.undo.map(this.venues, venue);
    this.venues.set(venue, payments);
    return payments;
  }

  private count(counters: Map<number, number>, id: number): number {
    const known = counters.get(id) ?? 0;
    if (known > 0 || counters.size < COUNTERS) {
      this.undo.map(counters, id);
      counters.set(id, known + 1);
      return known + 1;
    }
    for (const [other, count] of [...counters]) {
      this.undo.map(counters, other);
      if (count === 1) counters.delete(other);
      else counters.set(other, count - 1);
    }
    return 0;
  }
}

export interface LearnedFeeAccount {
  readonly venue: Venue;
  readonly sinceMs: number;
}

import { IdRows } from '../../lib/id-rows.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { DistinctRegisters } from './distinct-registers.ts';
import { FUNDER_LAYOUT, LISTED, RECIPIENTS_LAYOUT } from './funder-row.ts';

/** A funder with more distinct recipients per day, or in total, is a hub (METHODS §0.5). */
export const HUB_RECIPIENTS_A_DAY = 200;
export const HUB_RECIPIENTS = 1_000;
const DAY_MS = 86_400_000;
/** How long recipients are remembered. */
export const FAN_OUT_MS = 7 * DAY_MS;
/** Up to this many recipients all are listed and counted exactly; above it the total is estimated. */
const EXACT_MAX = 256;

const F = FUNDER_LAYOUT.fields;
const L = RECIPIENTS_LAYOUT.fields;

/** A recipient of a funder: in the funder's own row if `list` is -1. */
interface Entry {
  readonly list: number;
  readonly index: number;
}

const OWN: Entry = { list: -1, index: 0 };

/** Recipients of a funder since some time. */
export interface RecipientsSince {
  readonly count: number;
  /** The earliest of their last payments; infinite without one. */
  readonly oldestMs: number;
}

/**
 * Counts the distinct wallets that each funder paid: in total, and exactly for the last 7 days. A
 * hub stays a hub and is not counted any further.
 *
 * A funder takes 24 bytes with its first recipient, and 56 for up to four further ones. All
 * recipients are listed until there are more than 256; then an estimate counts the total, and a new
 * recipient takes the place of one from more than 7 days ago. A funder with more than 200 in a day
 * is a hub, so a list never has more than about 1,600.
 */
export class FanOutBook {
  private readonly undo: UndoLog;
  private readonly funders: RowTable;
  private readonly lists: RowTable;
  private readonly estimates: DistinctRegisters;
  private readonly index: IdRows;
  private readonly total: StateValue<{ hubs: number }>;

  constructor(undo: UndoLog) {
    this.undo = undo;
    this.funders = new RowTable(FUNDER_LAYOUT, undo, 'funders');
    this.lists = new RowTable(RECIPIENTS_LAYOUT, undo, 'recipients of funders');
    this.estimates = new DistinctRegisters(undo, 'recipient estimates');
    this.index = new IdRows(undo, 'funders by address');
    this.total = new StateValue({ hubs: 0 }, undo, 'funder counts');
  }

  /**
   * Counts a payment; times must not decrease between calls. Returns whether it made the funder a
   * hub.
   */
  pay(funder: number, recipient: number, timeMs: number): boolean {
    const known = this.index.get(funder);
    const row = known === -1 ? this.open(funder) : known;
    if (this.funders.number(row, F.isHub) === 1) return false;
    const isEstimateHigher = this.list(row, recipient, timeMs);
    const isHub =
      (isEstimateHigher && this.totalOf(row) > HUB_RECIPIENTS) ||
      (this.funders.number(row, F.recipients) > HUB_RECIPIENTS_A_DAY &&
        this.listedSince(row, timeMs - DAY_MS) > HUB_RECIPIENTS_A_DAY);
    if (isHub) this.makeHub(row, timeMs);
    return isHub;
  }

  isHub(funder: number): boolean {
    const row = this.index.get(funder);
    return row !== -1 && this.funders.number(row, F.isHub) === 1;
  }

  get hubCount(): number {
    return this.total.now.hubs;
  }

  /**
   * Distinct recipients paid after `sinceMs`, which must not be more than 7 days ago; none for a hub.
   */
  recipientsSince(funder: number, sinceMs: number): RecipientsSince {
    const row = this.index.get(funder);
    let count = 0;
    let oldestMs = Number.POSITIVE_INFINITY;
    if (row === -1) return { count, oldestMs };
    this.forEachEntry(row, (_, paidMs) => {
      if (paidMs <= sinceMs) return;
      count++;
      oldestMs = Math.min(oldestMs, paidMs);
    });
    return { count, oldestMs };
  }

  /** Distinct recipients in total, 0 for a hub; an estimate above 256. */
  lifetimeCount(funder: number): number {
    const row = this.index.get(funder);
    return row === -1 ? 0 : this.totalOf(row);
  }

  get allocatedBytes(): number {
    const { funders, lists, estimates, index } = this;
    const parts = [funders, lists, estimates, index];
    return parts.reduce((sum, { allocatedBytes }) => sum + allocatedBytes, 0);
  }

  private open(funder: number): number {
    const row = this.funders.add();
    this.index.set(funder, row);
    return row;
  }

  /** Lists a payment. Returns whether it raised the estimate of the total. */
  private list(row: number, recipient: number, timeMs: number): boolean {
    const known = this.findEntry(row, (other) => other === recipient);
    if (known !== null) {
      this.write(row, known, recipient, timeMs);
      return false;
    }
    const isExact = this.funders.number(row, F.estimate) === 0;
    if (isExact && this.funders.number(row, F.recipients) < EXACT_MAX) {
      this.append(row, recipient, timeMs);
      return false;
    }
    const isHigher = this.estimates.add(this.estimateOf(row), recipient);
    const expired = this.findEntry(row, (_, paidMs) => paidMs <= timeMs - FAN_OUT_MS);
    if (expired === null) this.append(row, recipient, timeMs);
    else this.write(row, expired, recipient, timeMs);
    return isHigher;
  }

  /** The estimate of all recipients; created from those listed. */
  private estimateOf(row: number): number {
    const known = this.funders.number(row, F.estimate) - 1;
    if (known !== -1) return known;
    const estimate = this.estimates.open();
    this.funders.setNumber(row, F.estimate, estimate + 1);
    this.forEachEntry(row, (recipient) => this.estimates.add(estimate, recipient));
    return estimate;
  }

  private totalOf(row: number): number {
    const estimate = this.funders.number(row, F.estimate) - 1;
    return estimate === -1
      ? this.funders.number(row, F.recipients)
      : this.estimates.countOf(estimate);
  }

  private listedSince(row: number, sinceMs: number): number {
    let count = 0;
    this.forEachEntry(row, (_, paidMs) => {
      if (paidMs > sinceMs) count++;
    });
    return count;
  }

  private makeHub(row: number, timeMs: number): void {
    const { funders, lists } = this;
    for (let at = funders.number(row, F.more); at !== 0; ) {
      const list = at - 1;
      at = lists.number(list, L.next);
      lists.remove(list);
    }
    const estimate = funders.number(row, F.estimate) - 1;
    if (estimate !== -1) this.estimates.close(estimate);
    for (const field of [F.recipient, F.more, F.estimate, F.recipients]) {
      funders.setNumber(row, field, 0);
    }
    funders.setNumber(row, F.isHub, 1);
    funders.setNumber(row, F.paidMs, timeMs);
    this.undo.keep(this.total.now);
    this.total.now.hubs++;
  }

  private append(row: number, recipient: number, timeMs: number): void {
    const { funders, lists } = this;
    const count = funders.number(row, F.recipients);
    funders.setNumber(row, F.recipients, count + 1);
    if (count === 0) {
      this.write(row, OWN, recipient, timeMs);
      return;
    }
    const index = (count - 1) % LISTED;
    if (index === 0) {
      const list = lists.add();
      lists.setNumber(list, L.next, funders.number(row, F.more));
      funders.setNumber(row, F.more, list + 1);
    }
    this.write(row, { list: funders.number(row, F.more) - 1, index }, recipient, timeMs);
  }

  private write(row: number, { list, index }: Entry, recipient: number, timeMs: number): void {
    if (list === -1) {
      this.funders.setNumber(row, F.recipient, recipient);
      this.funders.setNumber(row, F.paidMs, timeMs);
    } else {
      this.lists.setNumber(list, L.recipient, recipient, index);
      this.lists.setNumber(list, L.paidMs, timeMs, index);
    }
  }

  private forEachEntry(row: number, visit: (recipient: number, paidMs: number) => void): void {
    this.findEntry(row, (recipient, paidMs) => {
      visit(recipient, paidMs);
      return false;
    });
  }

  /** The first listed recipient that matches, null if none does. */
  private findEntry(
    row: number,
    matches: (recipient: number, paidMs: number) => boolean,
  ): Entry | null {
    const { funders, lists } = this;
    const count = funders.number(row, F.recipients);
    if (count === 0) return null;
    if (matches(funders.number(row, F.recipient), funders.number(row, F.paidMs))) return OWN;
    let size = (count - 1) % LISTED || LISTED;
    for (let at = funders.number(row, F.more); at !== 0; at = lists.number(at - 1, L.next)) {
      const list = at - 1;
      for (let index = 0; index < size; index++) {
        const paidMs = lists.number(list, L.paidMs, index);
        if (matches(lists.number(list, L.recipient, index), paidMs)) return { list, index };
      }
      size = LISTED;
    }
    return null;
  }
}

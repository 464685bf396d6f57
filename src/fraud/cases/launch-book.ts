import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLaunch, TransactionRef } from '../../model/mint-case.ts';
import type { Address, Slot } from '../../model/units.ts';
import { AgeQueue } from './age-queue.ts';
import { AgedRows } from './aged-rows.ts';
import {
  isTransactionRef,
  readTransactionRef,
  TRANSACTION_REF_FIELDS,
  writeTransactionRef,
} from './case-rows.ts';
import type { SnipedLaunch } from './launch-snipes.ts';

/** A purchase within this many slots of a launch is a snipe. */
export const LAUNCH_SLOTS = 2;
/** Wallets that trade within this many slots came to the launch: five minutes of 400 ms slots. */
export const YOUNG_SLOTS = 750;

/**
 * Maximum number of stored tradable mints, mints not tradable yet, and creators of bundled
 * launches.
 */
export interface LaunchBounds {
  readonly openedMax: number;
  readonly createdMax: number;
  readonly creatorsMax: number;
}

const LAUNCH_BOUNDS: LaunchBounds = {
  openedMax: 200_000,
  createdMax: 50_000,
  creatorsMax: 100_000,
};

/** Wallets are numbers plus one, 0 for none. */
export const LAUNCH_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  mint: 'u32',
  older: 'u32',
  newer: 'u32',
  creator: 'u32',
  /** The creator named by the launchpad; 0 for a mint opened without a launchpad. */
  launcher: 'u32',
  isOpened: 'u8',
  isBundled: 'u8',
});
const LAUNCH = LAUNCH_LAYOUT.fields;

export const CREATOR_LAYOUT = rowLayout({ id: 'u32', older: 'u32', newer: 'u32', bundles: 'u32' });
const CREATOR = CREATOR_LAYOUT.fields;

/** The event that made a mint tradable. */
export interface Opening {
  readonly creator: Address;
  /** True for a launchpad, which names the creator. */
  readonly isLaunch: boolean;
}

/**
 * Launches of mints, their creators, and counts of earlier bundled launches. One row of 104 bytes
 * for each of 200,000 opened mints and of 50,000 mints that were only created, with separate bounds
 * to keep untraded mints from evicting traded ones; 16 bytes for each of 100,000 creators. 35 MB
 * when full. The least recently seen entry is evicted.
 */
export class LaunchBook {
  private readonly ids: AddressIds<Address>;
  private readonly openedMax: number;
  private readonly createdMax: number;
  private readonly rows: RowTable;
  private readonly index: PairIndex;
  private readonly opened: AgeQueue;
  private readonly created: AgeQueue;
  private readonly creators: AgedRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog, bounds = LAUNCH_BOUNDS) {
    this.ids = ids;
    this.openedMax = bounds.openedMax;
    this.createdMax = bounds.createdMax;
    this.rows = new RowTable(LAUNCH_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.opened = new AgeQueue(this.rows, LAUNCH, undo);
    this.created = new AgeQueue(this.rows, LAUNCH, undo);
    this.creators = new AgedRows(CREATOR_LAYOUT, bounds.creatorsMax, undo);
  }

  /** Applies the creation of a mint; ignored when the mint is known. */
  applyCreated(mint: Address, creator: Address, ref: TransactionRef): void {
    if (this.find(mint) !== -1 || !isTransactionRef(ref)) return;
    const row = this.add(mint, ref);
    this.rows.setNumber(row, LAUNCH.creator, this.ids.idOf(creator) + 1);
    this.created.push(row);
    if (this.created.size > this.createdMax) this.remove(this.created);
  }

  /** Applies the event that made a mint tradable; only the first one counts. */
  applyOpened(mint: Address, { creator, isLaunch }: Opening, ref: TransactionRef): void {
    if (!isTransactionRef(ref)) return;
    const { rows } = this;
    const known = this.find(mint);
    if (known !== -1 && rows.number(known, LAUNCH.isOpened) === 1) return;
    const row = known === -1 ? this.add(mint, ref) : known;
    if (known !== -1) {
      this.created.remove(row);
      writeTransactionRef(rows, row, LAUNCH, ref);
    } else rows.setNumber(row, LAUNCH.creator, this.ids.idOf(creator) + 1);
    if (isLaunch) rows.setNumber(row, LAUNCH.launcher, this.ids.idOf(creator) + 1);
    rows.setNumber(row, LAUNCH.isOpened, 1);
    this.opened.push(row);
    if (this.opened.size > this.openedMax) this.remove(this.opened);
  }

  /** Notes a trade that was placed together with others. */
  noteGrouped(mint: Address, slot: Slot): void {
    const row = this.launchedRow(mint, slot);
    if (row === -1 || this.rows.number(row, LAUNCH.isBundled) === 1) return;
    this.rows.setNumber(row, LAUNCH.isBundled, 1);
    const creator = this.creators.renew(this.rows.number(row, LAUNCH.launcher) - 1);
    const { table } = this.creators;
    table.setNumber(creator, CREATOR.bundles, table.number(creator, CREATOR.bundles) + 1);
  }

  /**
   * The launch that a purchase of the mint in this slot snipes; null when it is too late for that.
   */
  launchSnipedIn(slot: Slot, mint: Address): SnipedLaunch | null {
    const row = this.launchedRow(mint, slot);
    if (row === -1) return null;
    const creator = this.ids.addressOf(this.rows.number(row, LAUNCH.launcher) - 1);
    return { mint, creator, timeMs: this.rows.number(row, LAUNCH.timeMs) };
  }

  /** True within YOUNG_SLOTS of the launch: until then unrelated wallets meet by trading it. */
  isYoung(mint: Address, slot: Slot): boolean {
    const row = this.find(mint);
    return row !== -1 && slot - this.rows.number(row, LAUNCH.slot) <= YOUNG_SLOTS;
  }

  /** The launch of a mint; null when its start was not seen or has been evicted. */
  launchOf(mint: Address): CaseLaunch | null {
    const row = this.find(mint);
    if (row === -1) return null;
    const creator = this.ids.addressOf(this.rows.number(row, LAUNCH.creator) - 1);
    return { ...readTransactionRef(this.rows, row, LAUNCH), creator, isListedSale: false };
  }

  /** Number of a creator's launches with bundled first slots, without that of one mint. */
  bundlesOf(creator: Address, except: Address): number {
    const id = this.ids.find(creator);
    const row = id === -1 ? -1 : this.creators.find(id);
    if (row === -1) return 0;
    const own = this.find(except);
    const isCounted =
      own !== -1 &&
      this.rows.number(own, LAUNCH.isBundled) === 1 &&
      this.rows.number(own, LAUNCH.launcher) === id + 1;
    return this.creators.table.number(row, CREATOR.bundles) - (isCounted ? 1 : 0);
  }

  get allocatedBytes(): number {
    const { rows, index, creators } = this;
    return rows.allocatedBytes + index.allocatedBytes + creators.allocatedBytes;
  }

  /** Entries in eviction order. */
  *digestRows(): Iterable<string> {
    const { rows, ids, creators } = this;
    for (const queue of [this.opened, this.created]) {
      for (const row of queue.all()) {
        const mint = ids.addressOf(rows.number(row, LAUNCH.mint));
        const launcher = rows.number(row, LAUNCH.launcher) > 0;
        const isBundled = rows.number(row, LAUNCH.isBundled);
        yield `launch ${mint} ${launcher} ${isBundled} ${JSON.stringify(this.launchOf(mint))}`;
      }
    }
    for (const [id, row] of creators.entries()) {
      yield `bundles of ${ids.addressOf(id)} ${creators.table.number(row, CREATOR.bundles)}`;
    }
  }

  /** The row of a mint that a launchpad opened no more than LAUNCH_SLOTS before a slot, else -1. */
  private launchedRow(mint: Address, slot: Slot): number {
    const row = this.find(mint);
    if (row === -1 || this.rows.number(row, LAUNCH.launcher) === 0) return -1;
    return slot - this.rows.number(row, LAUNCH.slot) <= LAUNCH_SLOTS ? row : -1;
  }

  private find(mint: Address): number {
    const id = this.ids.find(mint);
    return id === -1 ? -1 : this.index.get(0, id);
  }

  /** Adds a row that is in no queue yet. */
  private add(mint: Address, ref: TransactionRef): number {
    const row = this.rows.add();
    const id = this.ids.idOf(mint);
    writeTransactionRef(this.rows, row, LAUNCH, ref);
    this.rows.setNumber(row, LAUNCH.mint, id);
    this.index.set(0, id, row);
    return row;
  }

  private remove(queue: AgeQueue): void {
    const row = queue.oldest;
    queue.remove(row);
    this.index.delete(0, this.rows.number(row, LAUNCH.mint));
    this.rows.remove(row);
  }
}

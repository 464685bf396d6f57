import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLaunch, TransactionRef } from '../../model/mint-case.ts';
import type { Address, Slot } from '../../model/units.ts';
import { AgeQueue } from './age-queue.ts';
import { AgedRows } from './aged-rows.ts';
import { isTransactionRef, PLACE, readTransactionRef, writeTransactionRef } from './case-rows.ts';
import type { SnipedLaunch } from './launch-snipes.ts';

/** Who buys within so many slots of a launch was waiting for it. */
export const LAUNCH_SLOTS = 2;
/** Who is there by then came to the launch: five minutes of slots of 400 ms. */
export const YOUNG_SLOTS = 750;

/** How many are kept: mints that can be bought, mints that cannot yet, and those who made bundles. */
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
  ...PLACE,
  mint: 'u32',
  older: 'u32',
  newer: 'u32',
  creator: 'u32',
  /** Whom the launchpad names; 0 for a mint that came to be traded without one. */
  launcher: 'u32',
  isOpened: 'u8',
  isBundled: 'u8',
});
const LAUNCH = LAUNCH_LAYOUT.fields;

export const CREATOR_LAYOUT = rowLayout({ id: 'u32', older: 'u32', newer: 'u32', bundles: 'u32' });
const CREATOR = CREATOR_LAYOUT.fields;

/** How a mint came to be traded. */
export interface Opening {
  readonly creator: Address;
  /** By a launchpad, which names who launched it. */
  readonly isLaunch: boolean;
}

/**
 * When mints could first be bought, who made them, and who launched bundles before: a row of 104 bytes
 * for each of 200,000 mints that were opened and of 50,000 that were only created, beside one another,
 * so that mints nobody trades push out none that are; 16 bytes for each of 100,000 creators. With
 * everything full 35 MB. What was seen longest ago makes room.
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

  /** Takes a mint that came to life, of which nothing else was seen yet. */
  applyCreated(mint: Address, creator: Address, place: TransactionRef): void {
    if (this.find(mint) !== -1 || !isTransactionRef(place)) return;
    const row = this.add(mint, place);
    this.rows.setNumber(row, LAUNCH.creator, this.ids.idOf(creator) + 1);
    this.created.push(row);
    if (this.created.size > this.createdMax) this.remove(this.created);
  }

  /** Takes what made a mint tradable; only the first time counts. */
  applyOpened(mint: Address, { creator, isLaunch }: Opening, place: TransactionRef): void {
    if (!isTransactionRef(place)) return;
    const { rows } = this;
    const known = this.find(mint);
    if (known !== -1 && rows.number(known, LAUNCH.isOpened) === 1) return;
    const row = known === -1 ? this.add(mint, place) : known;
    if (known !== -1) {
      this.created.remove(row);
      writeTransactionRef(rows, row, LAUNCH, place);
    } else rows.setNumber(row, LAUNCH.creator, this.ids.idOf(creator) + 1);
    if (isLaunch) rows.setNumber(row, LAUNCH.launcher, this.ids.idOf(creator) + 1);
    rows.setNumber(row, LAUNCH.isOpened, 1);
    this.opened.push(row);
    if (this.opened.size > this.openedMax) this.remove(this.opened);
  }

  /** Takes a trade that was placed together with others. */
  noteGrouped(mint: Address, slot: Slot): void {
    const row = this.launchedRow(mint, slot);
    if (row === -1 || this.rows.number(row, LAUNCH.isBundled) === 1) return;
    this.rows.setNumber(row, LAUNCH.isBundled, 1);
    const creator = this.creators.renew(this.rows.number(row, LAUNCH.launcher) - 1);
    const { table } = this.creators;
    table.setNumber(creator, CREATOR.bundles, table.number(creator, CREATOR.bundles) + 1);
  }

  /** The launch that is sniped by who buys a mint in this slot; null when it is too late for that. */
  launchSnipedIn(slot: Slot, mint: Address): SnipedLaunch | null {
    const row = this.launchedRow(mint, slot);
    if (row === -1) return null;
    const creator = this.ids.addressOf(this.rows.number(row, LAUNCH.launcher) - 1);
    return { mint, creator, timeMs: this.rows.number(row, LAUNCH.timeMs) };
  }

  /** True for so long after a mint's launch that strangers meet there by coming to it. */
  isYoung(mint: Address, slot: Slot): boolean {
    const row = this.find(mint);
    return row !== -1 && slot - this.rows.number(row, LAUNCH.slot) <= YOUNG_SLOTS;
  }

  /** Null for a mint of which the beginning was not seen, or too long ago. */
  launchOf(mint: Address): CaseLaunch | null {
    const row = this.find(mint);
    if (row === -1) return null;
    const creator = this.ids.addressOf(this.rows.number(row, LAUNCH.creator) - 1);
    return { ...readTransactionRef(this.rows, row, LAUNCH), creator, isListedSale: false };
  }

  /** Launches of a creator of which the first slots were bundled, that of one mint left out. */
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

  /** As they make room, the next one first. */
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

  /** A row in no line yet. */
  private add(mint: Address, place: TransactionRef): number {
    const row = this.rows.add();
    const id = this.ids.idOf(mint);
    writeTransactionRef(this.rows, row, LAUNCH, place);
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

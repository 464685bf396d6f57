import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLaunch, TransactionRef } from '../../model/mint-case.ts';
import type { Address, Slot } from '../../model/units.ts';
import { AddressRows } from './address-rows.ts';
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

/** Wallets are numbers plus one, 0 for none. */
export const LAUNCH_LAYOUT = rowLayout({
  ...TRANSACTION_REF_FIELDS,
  creator: 'u32',
  /** The creator named by the launchpad; 0 for a mint opened without a launchpad. */
  launcher: 'u32',
  isOpened: 'u8',
  isBundled: 'u8',
});
const LAUNCH = LAUNCH_LAYOUT.fields;

export const CREATOR_LAYOUT = rowLayout({ bundles: 'u32' });
const CREATOR = CREATOR_LAYOUT.fields;

/** The event that made a mint tradable. */
export interface Opening {
  readonly creator: Address;
  /** True for a launchpad, which names the creator. */
  readonly isLaunch: boolean;
}

/**
 * Launches of mints, their creators, and counts of earlier bundled launches: a row of 96 bytes for
 * each mint, and of 8 bytes for each creator of a bundled launch.
 */
export class LaunchBook {
  private readonly ids: AddressIds<Address>;
  private readonly launches: AddressRows;
  private readonly creators: AddressRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.launches = new AddressRows(LAUNCH_LAYOUT, undo, 'launches');
    this.creators = new AddressRows(CREATOR_LAYOUT, undo, 'creators of bundled launches');
  }

  /** Applies the creation of a mint; ignored when the mint is known. */
  applyCreated(mint: Address, creator: Address, ref: TransactionRef): void {
    if (this.find(mint) !== -1 || !isTransactionRef(ref)) return;
    const row = this.add(mint, ref);
    this.launches.table.setNumber(row, LAUNCH.creator, this.ids.idOf(creator) + 1);
  }

  /** Applies the event that made a mint tradable; only the first one counts. */
  applyOpened(mint: Address, { creator, isLaunch }: Opening, ref: TransactionRef): void {
    if (!isTransactionRef(ref)) return;
    const rows = this.launches.table;
    const known = this.find(mint);
    if (known !== -1 && rows.number(known, LAUNCH.isOpened) === 1) return;
    const row = this.add(mint, ref);
    if (known === -1) rows.setNumber(row, LAUNCH.creator, this.ids.idOf(creator) + 1);
    if (isLaunch) rows.setNumber(row, LAUNCH.launcher, this.ids.idOf(creator) + 1);
    rows.setNumber(row, LAUNCH.isOpened, 1);
  }

  /** Notes a trade that was placed together with others. */
  noteGrouped(mint: Address, slot: Slot): void {
    const row = this.launchedRow(mint, slot);
    if (row === -1 || this.launches.table.number(row, LAUNCH.isBundled) === 1) return;
    this.launches.table.setNumber(row, LAUNCH.isBundled, 1);
    const creator = this.creators.open(this.launches.table.number(row, LAUNCH.launcher) - 1);
    const { table } = this.creators;
    table.setNumber(creator, CREATOR.bundles, table.number(creator, CREATOR.bundles) + 1);
  }

  /**
   * The launch that a purchase of the mint in this slot snipes; null when it is too late for that.
   */
  launchSnipedIn(slot: Slot, mint: Address): SnipedLaunch | null {
    const row = this.launchedRow(mint, slot);
    if (row === -1) return null;
    const creator = this.ids.addressOf(this.launches.table.number(row, LAUNCH.launcher) - 1);
    return { mint, creator, timeMs: this.launches.table.number(row, LAUNCH.timeMs) };
  }

  /** True within YOUNG_SLOTS of the launch: until then unrelated wallets meet by trading it. */
  isYoung(mint: Address, slot: Slot): boolean {
    const row = this.find(mint);
    return row !== -1 && slot - this.launches.table.number(row, LAUNCH.slot) <= YOUNG_SLOTS;
  }

  /** The launch of a mint; null when its start was not seen. */
  launchOf(mint: Address): CaseLaunch | null {
    const row = this.find(mint);
    if (row === -1) return null;
    const creator = this.ids.addressOf(this.launches.table.number(row, LAUNCH.creator) - 1);
    return {
      ...readTransactionRef(this.launches.table, row, LAUNCH),
      creator,
      isListedSale: false,
    };
  }

  /** The time of a mint's launch; null when its start was not seen. */
  launchMsOf(mint: Address): number | null {
    const row = this.find(mint);
    return row === -1 ? null : this.launches.table.number(row, LAUNCH.timeMs);
  }

  /** Number of a creator's launches with bundled first slots, without that of one mint. */
  bundlesOf(creator: Address, except: Address): number {
    const id = this.ids.find(creator);
    const row = this.creators.find(id);
    if (row === -1) return 0;
    const own = this.find(except);
    const isCounted =
      own !== -1 &&
      this.launches.table.number(own, LAUNCH.isBundled) === 1 &&
      this.launches.table.number(own, LAUNCH.launcher) === id + 1;
    return this.creators.table.number(row, CREATOR.bundles) - (isCounted ? 1 : 0);
  }

  get allocatedBytes(): number {
    return this.launches.allocatedBytes + this.creators.allocatedBytes;
  }

  /** The row of a mint that a launchpad opened no more than LAUNCH_SLOTS before a slot, else -1. */
  private launchedRow(mint: Address, slot: Slot): number {
    const row = this.find(mint);
    if (row === -1 || this.launches.table.number(row, LAUNCH.launcher) === 0) return -1;
    return slot - this.launches.table.number(row, LAUNCH.slot) <= LAUNCH_SLOTS ? row : -1;
  }

  private find(mint: Address): number {
    return this.launches.rowOf(this.ids, mint);
  }

  /** Sets the transaction of a mint's row, which is added if there is none. */
  private add(mint: Address, ref: TransactionRef): number {
    const row = this.launches.open(this.ids.idOf(mint));
    writeTransactionRef(this.launches.table, row, LAUNCH, ref);
    return row;
  }
}

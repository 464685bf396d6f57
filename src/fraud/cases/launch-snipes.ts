import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';

/** Launches stored per wallet; 20 launches of 20 creators are enough to detect a general sniper. */
export const SNIPES_KEPT = 32;
const LATELY_MS = 7 * 86_400_000;

/** `older`: the row of the wallet's launch before, plus one; 0 for none. */
export const SNIPE_LAYOUT = rowLayout({
  launchMs: 'f64',
  mint: 'u32',
  creator: 'u32',
  older: 'u32',
  /** 1 when its purchase was placed with others. */
  isBundled: 'u8',
});
const FIELD = SNIPE_LAYOUT.fields;

/** A launch that a wallet sniped. */
export interface SnipedLaunch {
  readonly mint: Address;
  readonly creator: Address;
  readonly timeMs: number;
}

/** Numbers of launches a wallet sniped within the last week, and of their creators. */
export interface SnipeCount {
  readonly snipes: number;
  readonly creators: number;
}

/**
 * Launches that wallets bought within the first slots: the newest 32 per wallet, in 24 bytes each.
 */
export class LaunchSnipes {
  private readonly ids: AddressIds<Address>;
  private readonly table: RowTable;
  /** The row of each wallet's newest launch. */
  private readonly newest: IdRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.table = new RowTable(SNIPE_LAYOUT, undo, 'sniped launches');
    this.newest = new IdRows(undo, 'newest sniped launches');
  }

  /**
   * Notes a purchase of a launch, and whether it was placed with others. A launch is counted once.
   */
  note(wallet: Address, { mint, creator, timeMs }: SnipedLaunch, isBundled = false): void {
    const { ids, table, newest } = this;
    const walletId = ids.idOf(wallet);
    const mintId = ids.idOf(mint);
    const rows = this.rowsOf(walletId);
    const known = rows.find((one) => table.number(one, FIELD.mint) === mintId);
    if (known !== undefined) {
      const isFirstBundled = isBundled && table.number(known, FIELD.isBundled) === 0;
      if (isFirstBundled) table.setNumber(known, FIELD.isBundled, 1);
      return;
    }
    const row = rows.length < SNIPES_KEPT ? table.add() : this.takeOldest(rows);
    table.setNumber(row, FIELD.mint, mintId);
    table.setNumber(row, FIELD.creator, ids.idOf(creator));
    table.setNumber(row, FIELD.launchMs, timeMs);
    table.setNumber(row, FIELD.isBundled, isBundled ? 1 : 0);
    table.setNumber(row, FIELD.older, newest.get(walletId) + 1);
    newest.set(walletId, row);
  }

  /** Counts of the last week, without the launch of one mint. */
  countOf(wallet: Address, except: Address, nowMs: number): SnipeCount {
    const { ids, table } = this;
    const exceptId = ids.find(except);
    const creators = new Set<number>();
    let snipes = 0;
    for (const row of this.rowsOf(ids.find(wallet))) {
      if (table.number(row, FIELD.mint) === exceptId) continue;
      if (table.number(row, FIELD.launchMs) <= nowMs - LATELY_MS) continue;
      snipes++;
      creators.add(table.number(row, FIELD.creator));
    }
    return { snipes, creators: creators.size };
  }

  /** Launches of the week before a time that the wallet bought in a bundle; newest first. */
  bundledBefore(wallet: Address, beforeMs: number): Address[] {
    const { ids, table } = this;
    const isCounted = (row: number): boolean => {
      const launchMs = table.number(row, FIELD.launchMs);
      const isLately = launchMs < beforeMs && launchMs > beforeMs - LATELY_MS;
      return isLately && table.number(row, FIELD.isBundled) === 1;
    };
    return this.rowsOf(ids.find(wallet))
      .filter(isCounted)
      .map((row) => ids.addressOf(table.number(row, FIELD.mint)));
  }

  get allocatedBytes(): number {
    return this.table.allocatedBytes + this.newest.allocatedBytes;
  }

  /** Rows of a wallet, newest first. */
  private rowsOf(walletId: number): number[] {
    const rows: number[] = [];
    for (let row = this.newest.get(walletId); row !== -1; ) {
      rows.push(row);
      row = this.table.number(row, FIELD.older) - 1;
    }
    return rows;
  }

  /** Removes the last of at least two rows from the list of its wallet, for another launch. */
  private takeOldest(rows: readonly number[]): number {
    this.table.setNumber(rows.at(-2) as number, FIELD.older, 0);
    return rows.at(-1) as number;
  }
}

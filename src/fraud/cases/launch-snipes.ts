import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { AddressRows } from './address-rows.ts';

/** Launches stored per wallet; 20 launches of 20 creators are enough to detect a general sniper. */
export const SNIPES_KEPT = 32;
const LATELY_MS = 7 * 86_400_000;

/** `count` launches were noted; the next one goes to `count` modulo SNIPES_KEPT. */
export const SNIPE_LAYOUT = rowLayout({
  count: 'u32',
  launchMs: ['f64', SNIPES_KEPT],
  mint: ['u32', SNIPES_KEPT],
  creator: ['u32', SNIPES_KEPT],
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
 * Launches that wallets bought within the first slots: the newest 32 per wallet, in 520 bytes.
 */
export class LaunchSnipes {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AddressRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog) {
    this.ids = ids;
    this.rows = new AddressRows(SNIPE_LAYOUT, undo, 'sniped launches');
  }

  /** Notes a purchase of a launch; further purchases of the same launch change nothing. */
  note(wallet: Address, { mint, creator, timeMs }: SnipedLaunch): void {
    const row = this.rows.open(this.ids.idOf(wallet));
    const { table } = this.rows;
    const mintId = this.ids.idOf(mint);
    const count = table.number(row, FIELD.count);
    for (let index = 0; index < Math.min(count, SNIPES_KEPT); index++) {
      if (table.number(row, FIELD.mint, index) === mintId) return;
    }
    const index = count % SNIPES_KEPT;
    table.setNumber(row, FIELD.mint, mintId, index);
    table.setNumber(row, FIELD.creator, this.ids.idOf(creator), index);
    table.setNumber(row, FIELD.launchMs, timeMs, index);
    table.setNumber(row, FIELD.count, count + 1);
  }

  /** Counts of the last week, without the launch of one mint. */
  countOf(wallet: Address, except: Address, nowMs: number): SnipeCount {
    const row = this.rows.rowOf(this.ids, wallet);
    if (row === -1) return { snipes: 0, creators: 0 };
    const exceptId = this.ids.find(except);
    const { table } = this.rows;
    const creators = new Set<number>();
    let snipes = 0;
    for (let index = 0; index < this.storedOf(row); index++) {
      if (table.number(row, FIELD.mint, index) === exceptId) continue;
      if (table.number(row, FIELD.launchMs, index) <= nowMs - LATELY_MS) continue;
      snipes++;
      creators.add(table.number(row, FIELD.creator, index));
    }
    return { snipes, creators: creators.size };
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes;
  }

  /** Number of launches in a row. */
  private storedOf(row: number): number {
    return Math.min(this.rows.table.number(row, FIELD.count), SNIPES_KEPT);
  }
}

import type { AddressIds } from '../../lib/address-ids.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { AgedRows } from './aged-rows.ts';

/** Launches that are remembered of a wallet: who sniped 20 of as many creators snipes everybody's. */
export const SNIPES_KEPT = 32;
const WALLETS_MAX = 100_000;
const LATELY_MS = 7 * 86_400_000;

/** `count` launches were noted; the next one goes to `count` modulo SNIPES_KEPT. */
export const SNIPE_LAYOUT = rowLayout({
  id: 'u32',
  older: 'u32',
  newer: 'u32',
  count: 'u32',
  launchMs: ['f64', SNIPES_KEPT],
  mint: ['u32', SNIPES_KEPT],
  creator: ['u32', SNIPES_KEPT],
});
const FIELD = SNIPE_LAYOUT.fields;

/** A launch that somebody bought at once. */
export interface SnipedLaunch {
  readonly mint: Address;
  readonly creator: Address;
  readonly timeMs: number;
}

/** How many launches a wallet sniped lately, and of how many creators. */
export interface SnipeCount {
  readonly snipes: number;
  readonly creators: number;
}

/**
 * Which launches wallets bought within the first slots: of each the newest 32, in 528 bytes; of 100,000
 * wallets, the one that sniped longest ago makes room. With everything full 56 MB.
 */
export class LaunchSnipes {
  private readonly ids: AddressIds<Address>;
  private readonly rows: AgedRows;

  constructor(ids: AddressIds<Address>, undo: UndoLog, walletsMax = WALLETS_MAX) {
    this.ids = ids;
    this.rows = new AgedRows(SNIPE_LAYOUT, walletsMax, undo);
  }

  /** Takes a purchase of a launch; further ones of the same launch change nothing. */
  note(wallet: Address, { mint, creator, timeMs }: SnipedLaunch): void {
    const row = this.rows.renew(this.ids.idOf(wallet));
    const { table } = this.rows;
    const mintId = this.ids.idOf(mint);
    const count = table.number(row, FIELD.count);
    for (let place = 0; place < Math.min(count, SNIPES_KEPT); place++) {
      if (table.number(row, FIELD.mint, place) === mintId) return;
    }
    const place = count % SNIPES_KEPT;
    table.setNumber(row, FIELD.mint, mintId, place);
    table.setNumber(row, FIELD.creator, this.ids.idOf(creator), place);
    table.setNumber(row, FIELD.launchMs, timeMs, place);
    table.setNumber(row, FIELD.count, count + 1);
  }

  /** Launches of the last week, that of one mint left out. */
  countOf(wallet: Address, except: Address, nowMs: number): SnipeCount {
    const id = this.ids.find(wallet);
    const row = id === -1 ? -1 : this.rows.find(id);
    if (row === -1) return { snipes: 0, creators: 0 };
    const exceptId = this.ids.find(except);
    const { table } = this.rows;
    const creators = new Set<number>();
    let snipes = 0;
    for (let place = 0; place < this.heldOf(row); place++) {
      if (table.number(row, FIELD.mint, place) === exceptId) continue;
      if (table.number(row, FIELD.launchMs, place) <= nowMs - LATELY_MS) continue;
      snipes++;
      creators.add(table.number(row, FIELD.creator, place));
    }
    return { snipes, creators: creators.size };
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes;
  }

  *digestRows(): Iterable<string> {
    const { ids, rows } = this;
    for (const [id, row] of rows.entries()) {
      const launches: string[] = [];
      for (let place = 0; place < this.heldOf(row); place++) {
        const mint = ids.addressOf(rows.table.number(row, FIELD.mint, place));
        const creator = ids.addressOf(rows.table.number(row, FIELD.creator, place));
        launches.push(`${mint} ${creator} ${rows.table.number(row, FIELD.launchMs, place)}`);
      }
      yield `snipes ${ids.addressOf(id)} ${launches.join(', ')}`;
    }
  }

  private heldOf(row: number): number {
    return Math.min(this.rows.table.number(row, FIELD.count), SNIPES_KEPT);
  }
}

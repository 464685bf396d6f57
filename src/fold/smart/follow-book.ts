import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address, Slot } from '../../model/units.ts';
import { RecentFirstBuys } from './recent-first-buys.ts';

/** Followers buy one to five slots after the wallet they follow (METHODS §7.4, e2). */
export const FOLLOW_SLOTS = 5;
/** Mints in which a wallet must buy shortly before another one, to rule out chance (the same). */
const MINTS_TO_FOLLOW = 3;
/** Number of counters per wallet, and of nearest earlier buyers compared with a purchase. */
const LEADERS = 16;
const COUNT_MAX = 0xff;

export const FOLLOW_LAYOUT = rowLayout({ leaders: ['u32', LEADERS], mints: ['u8', LEADERS] });
const FIELD = FOLLOW_LAYOUT.fields;

/**
 * Detects copied purchases: those one to five slots after a purchase by a wallet that already
 * bought as shortly before the same buyer in three other mints. Only first purchases of a mint
 * count, on both sides: a wallet that trades constantly precedes every buyer, but buys a mint for
 * the first time only once.
 *
 * Preceding buyers are counted with the Misra–Gries algorithm (1982) in 16 counters per wallet. A
 * count is never too high, and a wallet that precedes less than a seventeenth of the counted
 * purchases may lose its counter. A row takes 80 bytes plus four for its number, for every wallet that
 * ever bought shortly after another; copied purchases are kept as long as positions.
 */
export class FollowBook {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly index: IdRows;
  /** Keys: mint and wallet. */
  private readonly copied: PairIndex;
  private readonly recent: RecentFirstBuys;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.rows = new RowTable(FOLLOW_LAYOUT, undo, 'wallets bought after');
    this.index = new IdRows(undo, 'wallets bought after by buyer');
    this.copied = new PairIndex(undo, 'copied purchases');
    this.recent = new RecentFirstBuys(undo);
  }

  /** Applies a wallet's first purchase of a mint. Slots must not decrease between calls. */
  applyFirstBuy(mint: Address, wallet: Address, slot: Slot): void {
    const [mintId, walletId] = [this.ids.idOf(mint), this.ids.idOf(wallet)];
    this.recent.forgetBefore(slot - FOLLOW_SLOTS);
    const leaders = this.recent.buyersBefore({ mint: mintId, wallet: walletId, slot }, LEADERS);
    if (leaders.length > 0) {
      const row = this.rowOf(walletId);
      if (leaders.some((leader) => this.isFollowed(row, leader))) {
        this.copied.set(mintId, walletId, 0);
      }
      for (const leader of leaders) this.count(row, leader);
    }
    this.recent.add({ mint: mintId, wallet: walletId, slot });
  }

  /** Whether the wallet's first purchase of the mint was copied. */
  isCopied(mint: Address, wallet: Address): boolean {
    const [mintId, walletId] = [this.ids.find(mint), this.ids.find(wallet)];
    return mintId !== -1 && walletId !== -1 && this.copied.get(mintId, walletId) !== -1;
  }

  /** The wallets that bought shortly before this one, each with the number of counted mints. */
  leadersOf(wallet: Address): { readonly leader: Address; readonly mints: number }[] {
    const walletId = this.ids.find(wallet);
    const row = walletId === -1 ? -1 : this.index.get(walletId);
    if (row === -1) return [];
    return Array.from({ length: LEADERS }, (_, at) => ({
      id: this.rows.number(row, FIELD.leaders, at),
      mints: this.rows.number(row, FIELD.mints, at),
    }))
      .filter(({ mints }) => mints > 0)
      .map(({ id, mints }) => ({ leader: this.ids.addressOf(id), mints }));
  }

  private rowOf(walletId: number): number {
    const known = this.index.get(walletId);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.index.set(walletId, row);
    return row;
  }

  private isFollowed(row: number, leader: number): boolean {
    const at = this.indexOf(row, leader);
    return at !== -1 && this.rows.number(row, FIELD.mints, at) >= MINTS_TO_FOLLOW;
  }

  private count(row: number, leader: number): void {
    const { rows } = this;
    const at = this.indexOf(row, leader);
    if (at !== -1) {
      const mints = rows.number(row, FIELD.mints, at);
      if (mints < COUNT_MAX) rows.setNumber(row, FIELD.mints, mints + 1, at);
      return;
    }
    const free = this.freeIndex(row);
    if (free === -1) this.takeOneOffEach(row);
    else {
      rows.setNumber(row, FIELD.leaders, leader, free);
      rows.setNumber(row, FIELD.mints, 1, free);
    }
  }

  /** May return a free entry whose old leader is the same; it can be reused. */
  private indexOf(row: number, leader: number): number {
    // Directly from the page: a first purchase searches for each of up to sixteen leaders, twice.
    const page = this.rows.viewOf(row);
    const start = this.rows.startOf(row) + FIELD.leaders.offset;
    for (let at = 0; at < LEADERS; at++) {
      if (page.getUint32(start + 4 * at, true) === leader) return at;
    }
    return -1;
  }

  private freeIndex(row: number): number {
    for (let at = 0; at < LEADERS; at++) {
      if (this.rows.number(row, FIELD.mints, at) === 0) return at;
    }
    return -1;
  }

  private takeOneOffEach(row: number): void {
    for (let at = 0; at < LEADERS; at++) {
      this.rows.setNumber(row, FIELD.mints, this.rows.number(row, FIELD.mints, at) - 1, at);
    }
  }
}

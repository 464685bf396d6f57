import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address, Slot } from '../../model/units.ts';

/** Followers buy one to five slots after the wallet they follow (METHODS §7.4, e2). */
export const FOLLOW_SLOTS = 5;
/** Mints in which a wallet must buy shortly before another one, to rule out chance (the same). */
const MINTS_TO_FOLLOW = 3;
/** Number of counters per wallet, and of nearest earlier buyers compared with a purchase. */
const LEADERS = 16;
const COUNT_MAX = 0xff;
const NOBODY: readonly number[] = [];

export const FOLLOW_LAYOUT = rowLayout({ leaders: ['u32', LEADERS], mints: ['u8', LEADERS] });
const FIELD = FOLLOW_LAYOUT.fields;

/** The first-time buyers in a slot: address ids by mint, in the order of their buys. */
export interface SlotBuyers {
  readonly slot: Slot;
  readonly buyersOf: Map<number, number[]>;
}

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
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly index: IdRows;
  /** Keys: mint and wallet. */
  private readonly copied: PairIndex;
  /** The most recent slots with first purchases, oldest first. */
  private readonly recent: SlotBuyers[] = [];

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.undo = undo;
    this.ids = ids;
    this.rows = new RowTable(FOLLOW_LAYOUT, undo);
    this.index = new IdRows(undo);
    this.copied = new PairIndex(undo);
  }

  /** Applies a wallet's first purchase of a mint. Slots must not decrease between calls. */
  applyFirstBuy(mint: Address, wallet: Address, slot: Slot): void {
    const [mintId, walletId] = [this.ids.idOf(mint), this.ids.idOf(wallet)];
    this.forgetBefore(slot - FOLLOW_SLOTS);
    const leaders = this.buyersBefore(mintId, walletId, slot);
    if (leaders.length > 0) {
      const row = this.rowOf(walletId);
      if (leaders.some((leader) => this.isFollowed(row, leader))) {
        this.copied.set(mintId, walletId, 0);
      }
      for (const leader of leaders) this.count(row, leader);
    }
    this.addBuyer(mintId, walletId, slot);
  }

  /** Whether the wallet's first purchase of the mint was copied. */
  isCopied(mint: Address, wallet: Address): boolean {
    const [mintId, walletId] = [this.ids.find(mint), this.ids.find(wallet)];
    return mintId !== -1 && walletId !== -1 && this.copied.get(mintId, walletId) !== -1;
  }

  *digestRows(): Iterable<string> {
    const lines: string[] = [];
    for (const [id, row] of this.index.entries(this.ids.size)) {
      const counts: string[] = [];
      for (let at = 0; at < LEADERS; at++) {
        const mints = this.rows.number(row, FIELD.mints, at);
        const leader = this.rows.number(row, FIELD.leaders, at);
        if (mints > 0) counts.push(`${this.ids.addressOf(leader)} ${mints}`);
      }
      lines.push(`follows ${this.ids.addressOf(id)} ${counts.sort().join(' ')}`);
    }
    for (const [mintId, walletId] of this.copied.entries()) {
      lines.push(`copied ${this.ids.addressOf(mintId)} ${this.ids.addressOf(walletId)}`);
    }
    for (const { slot, buyersOf } of this.recent) {
      for (const [mintId, buyers] of buyersOf) {
        const wallets = buyers.map((buyer) => this.ids.addressOf(buyer));
        lines.push(`first buyers ${slot} ${this.ids.addressOf(mintId)} ${wallets.join(' ')}`);
      }
    }
    yield* lines.sort();
  }

  private forgetBefore(slot: number): void {
    const kept = this.recent.findIndex((buyers) => buyers.slot >= slot);
    const count = kept === -1 ? this.recent.length : kept;
    if (count === 0) return;
    this.undo.head(this.recent, count);
    this.recent.splice(0, count);
  }

  /** The nearest other buyers in earlier slots, each once, latest first. */
  private buyersBefore(mintId: number, walletId: number, slot: Slot): number[] {
    const found: number[] = [];
    const { recent } = this;
    // Backwards by index: reversed copies would cost more than the search, for every first purchase.
    for (let at = recent.length - 1; at >= 0; at--) {
      const bought = recent[at];
      if (bought === undefined || bought.slot >= slot) continue;
      const buyers = bought.buyersOf.get(mintId) ?? NOBODY;
      for (let index = buyers.length - 1; index >= 0; index--) {
        const buyer = buyers[index];
        if (buyer === undefined || buyer === walletId || found.includes(buyer)) continue;
        if (found.push(buyer) === LEADERS) return found;
      }
    }
    return found;
  }

  private addBuyer(mintId: number, walletId: number, slot: Slot): void {
    const last = this.recent.at(-1);
    const current = last?.slot === slot ? last : { slot, buyersOf: new Map<number, number[]>() };
    if (current !== last) {
      this.undo.push(this.recent);
      this.recent.push(current);
    }
    const buyers = current.buyersOf.get(mintId);
    if (buyers === undefined) {
      this.undo.map(current.buyersOf, mintId);
      current.buyersOf.set(mintId, [walletId]);
      return;
    }
    this.undo.push(buyers);
    buyers.push(walletId);
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

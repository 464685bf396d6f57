import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address, Slot } from '../../model/units.ts';

/** Followers buy one to five slots behind whom they follow (METHODS §7.4, e2). */
export const FOLLOW_SLOTS = 5;
/** Mints in which a wallet stood shortly before another, until that is no chance (the same). */
const MINTS_TO_FOLLOW = 3;
/** Counters of a wallet, and buyers that a purchase is held against: the nearest before it. */
const LEADERS = 16;
const COUNT_MAX = 0xff;

export const FOLLOW_LAYOUT = rowLayout({ leaders: ['u32', LEADERS], mints: ['u8', LEADERS] });
const FIELD = FOLLOW_LAYOUT.fields;

/** Who bought which mint for the first time in a slot: numbers, by mint, in order. */
export interface SlotBuyers {
  readonly slot: Slot;
  readonly buyersOf: Map<number, number[]>;
}

/**
 * Which purchases were copied: those one to five slots behind a wallet that stood as shortly before
 * the same wallet in three other mints already. Only first purchases of a mint count, on both sides:
 * who trades all the time stands before everybody, but buys a mint for the first time once.
 *
 * Who stood before is counted by Misra and Gries (1982) in 16 counters a wallet, so a count is never
 * too high, and whoever stands before fewer than a seventeenth of what is counted is forgotten again.
 * A row is 80 bytes and its place in the index, for every wallet that ever bought behind another;
 * copied purchases are kept as long as positions are.
 */
export class FollowBook {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly index: PairIndex;
  /** Mint and wallet. */
  private readonly copied: PairIndex;
  /** The last slots in which somebody bought something for the first time, oldest first. */
  private readonly recent: SlotBuyers[] = [];

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.undo = undo;
    this.ids = ids;
    this.rows = new RowTable(FOLLOW_LAYOUT, undo);
    this.index = new PairIndex(undo);
    this.copied = new PairIndex(undo);
  }

  /** A wallet buys a mint that it never bought before. Slots never go back. */
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
    for (const [, id, row] of this.index.entries()) {
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

  /** The nearest other buyers of earlier slots, each once, the last first. */
  private buyersBefore(mintId: number, walletId: number, slot: Slot): number[] {
    const found: number[] = [];
    for (const buyers of this.recent.toReversed()) {
      if (buyers.slot >= slot) continue;
      for (const buyer of (buyers.buyersOf.get(mintId) ?? []).toReversed()) {
        if (buyer === walletId || found.includes(buyer)) continue;
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
    const known = this.index.get(0, walletId);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.index.set(0, walletId, row);
    return row;
  }

  private isFollowed(row: number, leader: number): boolean {
    const at = this.placeOf(row, leader);
    return at !== -1 && this.rows.number(row, FIELD.mints, at) >= MINTS_TO_FOLLOW;
  }

  private count(row: number, leader: number): void {
    const { rows } = this;
    const at = this.placeOf(row, leader);
    if (at !== -1) {
      const mints = rows.number(row, FIELD.mints, at);
      if (mints < COUNT_MAX) rows.setNumber(row, FIELD.mints, mints + 1, at);
      return;
    }
    const free = this.freePlace(row);
    if (free === -1) this.takeOneOffEach(row);
    else {
      rows.setNumber(row, FIELD.leaders, leader, free);
      rows.setNumber(row, FIELD.mints, 1, free);
    }
  }

  /** May be a free place, which then is as good as any. */
  private placeOf(row: number, leader: number): number {
    const { rows } = this;
    for (let at = 0; at < LEADERS; at++) {
      if (rows.number(row, FIELD.leaders, at) === leader) return at;
    }
    return -1;
  }

  private freePlace(row: number): number {
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

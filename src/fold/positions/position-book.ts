import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { UndoStep } from '../../lib/undo-steps.ts';
import { WordList } from '../../lib/word-list.ts';
import type { Address } from '../../model/units.ts';
import type { ClosedEpisode } from '../smart/episode.ts';
import { addKnown, addUnknown, canHold, realise, takeFee, takeOut } from './basis.ts';
import { Episodes, type MarkOf } from './episodes.ts';
import { MINT_LAYOUT, putFirst, secondsSinceOrigin } from './mint-row.ts';
import {
  type ChangedPosition,
  changedPositionAt,
  type Position,
  type PositionProfit,
  positionAt,
  positionOf,
  profitAt,
} from './position.ts';
import type { PositionBuy, PositionTrade, PositionTransfer } from './position-event.ts';
import { FLAG, fitsI64, POSITION_LAYOUT, setFlags } from './position-row.ts';
import { addHold, countTrade } from './trade-counts.ts';

/** The second key of a mint's own row in the index. */
const OF_MINT = 2 ** 32 - 2;
const CHECKED_MAX = 256;

const { fields } = POSITION_LAYOUT;

/**
 * The holdings of every wallet in every mint, at average cost (METHODS §0.6). Positions are per
 * mint, not per pool, because a wallet may buy on a bonding curve and sell on the pool that
 * replaces it.
 *
 * Held units have a known or an unknown cost; only the known part makes profit and loss. The cost
 * of a position is zero exactly when nothing is held at a known cost. A transfer moves cost and
 * acquisition time; the whole cost moves even if a transfer fee was withheld. Over all wallets, the
 * costs released by sales plus the costs still held equal the costs of all purchases, less the cost
 * of units that left all wallets.
 *
 * Values that do not fit 64 bits, such as ten billion dollars, are treated as unknown. A position
 * takes 168 bytes plus its index entries. Positions are never removed.
 */
export class PositionBook {
  private readonly rows: RowTable;
  private readonly mints: RowTable;
  private readonly index: PairIndex;
  /** By wallet: one more than the row of its newest position. */
  private readonly newest: WordList;
  private readonly episodes: Episodes;
  private readonly clock: StateValue<{ latestMs: number }>;
  // Empty between slots.
  private changed = new Set<number>();
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;
  // The undo record in which the size of `changed` was saved. Not part of the state.
  #record = 0;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.undo = undo;
    this.rows = new RowTable(POSITION_LAYOUT, undo, 'positions');
    this.mints = new RowTable(MINT_LAYOUT, undo, 'mints of positions');
    this.index = new PairIndex(undo, 'positions by mint and wallet');
    this.newest = new WordList(undo, 'newest positions of wallets');
    this.clock = new StateValue({ latestMs: 0 }, undo, 'time of positions');
    this.episodes = new Episodes(this.rows, ids, undo);
  }

  /** Applies a purchase. One of unknown or zero value adds units of unknown cost. */
  buy(buy: PositionBuy): void {
    const { amountRaw, valueUsd } = buy;
    if (amountRaw <= 0n) return;
    const { rows } = this;
    const row = this.open(buy.mint, buy.wallet);
    const timeMs = this.advance(buy.timeMs);
    const grossUsd = rows.bigint(row, fields.grossCostUsd) + (valueUsd ?? 0n);
    if (valueUsd !== null && fitsI64(grossUsd) && canHold(rows, row, amountRaw, valueUsd)) {
      addKnown(rows, row, amountRaw, valueUsd, this.secondsOf(row, timeMs));
      rows.setBigint(row, fields.grossCostUsd, grossUsd);
      setFlags(rows, row, FLAG.knownBuy);
      this.episodes.bought(row, { ...buy, costUsd: valueUsd, timeMs });
    } else {
      addUnknown(rows, row, amountRaw);
      this.episodes.boughtUnpriced(row, amountRaw);
    }
    if (rows.number(row, fields.firstBuyMs) === 0) rows.setNumber(row, fields.firstBuyMs, timeMs);
    countTrade(rows, row, fields.buys, buy.netCostLamports, timeMs);
  }

  /**
   * Applies a sale. Units with a known cost are sold first. A sale of unknown value counts as a
   * sale at cost: it makes neither profit nor loss. Units beyond the known holdings are ignored.
   */
  sell(sale: PositionTrade): void {
    const { amountRaw, valueUsd } = sale;
    if (amountRaw <= 0n) return;
    const { rows } = this;
    const row = this.open(sale.mint, sale.wallet);
    const timeMs = this.advance(sale.timeMs);
    const taken = takeOut(rows, row, amountRaw);
    if (taken.knownRaw > 0n) {
      const knownUsd = valueUsd === null ? null : (valueUsd * taken.knownRaw) / amountRaw;
      const proceedsUsd = realise(rows, row, taken.costUsd, knownUsd);
      addHold(rows, row, taken.knownRaw, this.secondsOf(row, timeMs));
      this.episodes.sold(row, taken, proceedsUsd, timeMs);
    }
    countTrade(rows, row, fields.sells, sale.netCostLamports, timeMs);
  }

  /** Moves units, their cost and their acquisition time; nothing is realised. */
  transfer(transfer: PositionTransfer): void {
    const { mint, from, to, sentRaw, receivedRaw } = transfer;
    const timeMs = this.advance(transfer.timeMs);
    const source = from === null ? -1 : this.find(mint, from);
    if (from !== null && from === to) {
      if (source !== -1) this.withhold(source, sentRaw - receivedRaw, timeMs);
      return;
    }
    if (source === -1 || sentRaw <= 0n) {
      if (to !== null && receivedRaw > 0n) this.receive(this.open(mint, to), receivedRaw);
      return;
    }
    this.touch(source);
    const acquiredS = this.rows.number(source, fields.acquiredS);
    const taken = takeOut(this.rows, source, sentRaw);
    this.episodes.sent(source, taken, timeMs);
    if (to === null || receivedRaw <= 0n) return;
    // Rounded up, so a cost is never left without units.
    const knownRaw = (receivedRaw * taken.knownRaw + sentRaw - 1n) / sentRaw;
    const target = this.open(mint, to);
    if (!canHold(this.rows, target, knownRaw, taken.costUsd)) {
      this.receive(target, receivedRaw);
      return;
    }
    addKnown(this.rows, target, knownRaw, taken.costUsd, acquiredS);
    if (receivedRaw > knownRaw) addUnknown(this.rows, target, receivedRaw - knownRaw);
    this.episodes.received(target, receivedRaw, taken.costUsd);
  }

  /**
   * Ends the episodes of lost positions that their wallets have not traded for a week. Checks at
   * most `limit` positions, to bound the time of one slot (see `Episodes.closeStale`).
   */
  closeStale(nowMs: number, markOf: MarkOf, limit = CHECKED_MAX): void {
    this.episodes.closeStale(nowMs, markOf, limit);
  }

  /** Removes and returns the episodes that ended since the last call, in the order they ended. */
  takeClosed(): ClosedEpisode[] {
    return this.episodes.takeClosed();
  }

  /**
   * Returns the positions that changed since the last call, in the order of their first changes.
   */
  takeChanged(): ChangedPosition[] {
    const { changed } = this;
    if (changed.size === 0) return [];
    this.undo.keep(this);
    this.changed = new Set();
    return Array.from(changed, (row) => changedPositionAt(this.rows, row, this.ids));
  }

  get(mint: Address, wallet: Address): Position | null {
    const row = this.find(mint, wallet);
    return row === -1 ? null : positionOf(this.rows, row, mint, wallet);
  }

  /** Whether the wallet ever bought the mint. */
  hasBought(mint: Address, wallet: Address): boolean {
    const row = this.find(mint, wallet);
    return row !== -1 && this.rows.number(row, fields.buys) > 0;
  }

  /** All positions of a wallet, the newest first. */
  *ofWallet(wallet: Address): Generator<Position> {
    for (const row of this.numbersOf(wallet)) yield positionAt(this.rows, row, this.ids);
  }

  /** All positions in a mint, the newest first. */
  *ofMint(mint: Address): Generator<Position> {
    const mintRow = this.index.get(this.ids.find(mint), OF_MINT);
    if (mintRow === -1) return;
    const newest = this.mints.number(mintRow, MINT_LAYOUT.fields.newest) - 1;
    for (let row = newest; row !== -1; row = this.rows.number(row, fields.nextOfMint) - 1) {
      yield positionAt(this.rows, row, this.ids);
    }
  }

  /**
   * What the profit of each position in a mint follows from, the newest position first. Reads no
   * addresses: those of the few that matter are read by `at`.
   */
  *profitsOfMint(mint: Address): Generator<PositionProfit> {
    const mintRow = this.index.get(this.ids.find(mint), OF_MINT);
    if (mintRow === -1) return;
    const { rows } = this;
    let row = this.mints.number(mintRow, MINT_LAYOUT.fields.newest) - 1;
    for (; row !== -1; row = rows.number(row, fields.nextOfMint) - 1) {
      yield profitAt(rows, row);
    }
  }

  /** The numbers of all positions of a wallet, the newest and highest first. */
  *numbersOf(wallet: Address): Generator<number> {
    const id = this.ids.find(wallet);
    const newest = id === -1 ? -1 : this.newest.get(id) - 1;
    for (let row = newest; row !== -1; row = this.rows.number(row, fields.nextOfWallet) - 1) {
      yield row;
    }
  }

  /** The position with a number of `numbersOf`, or of a row of `profitsOfMint`. */
  at(row: number): Position {
    return positionAt(this.rows, row, this.ids);
  }

  /** The origin of the mint's position times, null until a time is known. */
  originMs(mint: Address): number | null {
    const mintRow = this.index.get(this.ids.find(mint), OF_MINT);
    return mintRow === -1 ? null : this.mints.number(mintRow, MINT_LAYOUT.fields.originMs) || null;
  }

  get size(): number {
    return this.rows.size;
  }

  /** Bytes of rows and indexes, without the address ids. */
  get allocatedBytes(): number {
    const { rows, mints, index, newest } = this;
    return [rows, mints, index, newest].reduce((sum, part) => sum + part.allocatedBytes, 0);
  }

  private receive(row: number, amountRaw: bigint): void {
    addUnknown(this.rows, row, amountRaw);
    this.episodes.received(row, amountRaw, 0n);
  }

  /** Removes the fee on tokens that a wallet sent to itself. */
  private withhold(row: number, feeRaw: bigint, timeMs: number): void {
    if (feeRaw <= 0n) return;
    this.touch(row);
    this.episodes.sent(row, takeFee(this.rows, row, feeRaw), timeMs);
  }

  /** The time of an event, or the last known time if it has none. */
  private advance(timeMs: number | null): number {
    const clock = this.clock.now;
    if (timeMs === null || timeMs <= clock.latestMs) return timeMs ?? clock.latestMs;
    this.undo.keep(clock);
    clock.latestMs = timeMs;
    return timeMs;
  }

  /** Seconds since the origin of a position's mint, which is its first known time. */
  private secondsOf(row: number, timeMs: number): number {
    const mintRow = this.index.get(this.rows.number(row, fields.mint), OF_MINT);
    return secondsSinceOrigin(this.mints, mintRow, timeMs);
  }

  private find(mint: Address, wallet: Address): number {
    const [mintId, walletId] = [this.ids.find(mint), this.ids.find(wallet)];
    return mintId === -1 || walletId === -1 ? -1 : this.index.get(mintId, walletId);
  }

  /** The row of a position that is about to change. */
  private open(mint: Address, wallet: Address): number {
    const [mintId, walletId] = [this.ids.idOf(mint), this.ids.idOf(wallet)];
    const known = this.index.get(mintId, walletId);
    const row = known === -1 ? this.add(mintId, walletId) : known;
    this.touch(row);
    return row;
  }

  private add(mintId: number, walletId: number): number {
    const { rows, mints, index, newest } = this;
    const row = rows.add();
    rows.setNumber(row, fields.mint, mintId);
    rows.setNumber(row, fields.wallet, walletId);
    rows.setNumber(row, fields.nextOfWallet, newest.get(walletId));
    newest.set(walletId, row + 1);
    index.set(mintId, walletId, row);
    const known = index.get(mintId, OF_MINT);
    const mintRow = known === -1 ? mints.add() : known;
    if (known === -1) index.set(mintId, OF_MINT, mintRow);
    rows.setNumber(row, fields.nextOfMint, putFirst(mints, mintRow, row));
    return row;
  }

  private touch(row: number): void {
    if (this.changed.has(row)) return;
    this.keepChanged();
    this.changed.add(row);
  }

  /**
   * Saves the number of changed rows once per undo record. A Set keeps insertion order, so undoing
   * removes the rows added after that.
   */
  private keepChanged(): void {
    const { record } = this.undo;
    if (this.#record === record) return;
    this.#record = record;
    this.undo.step(FIRST_MEMBERS, this.changed, this.changed.size);
  }
}

/** A Set had so many members, and may have had others added. */
const FIRST_MEMBERS: UndoStep<[rows: Set<number>, count: number]> = {
  revert(rows, count) {
    for (const row of [...rows].slice(count)) rows.delete(row);
  },
  repeater(rows, count) {
    const added = [...rows].slice(count);
    return () => {
      for (const row of added) rows.add(row);
    };
  },
};

import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { HolderBalance } from '../../model/derived.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { balanceOf, HOLDER_LAYOUT, type HolderRows } from './holder-row.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import { MINT_HOLDERS_LAYOUT } from './mint-holders.ts';
import { TopHolders } from './top-holders.ts';

const { fields } = HOLDER_LAYOUT;
const mintFields = MINT_HOLDERS_LAYOUT.fields;

/** The second key of a mint's own row in the index. */
const OF_MINT = 2 ** 32 - 2;
const UNKNOWN_TIME = -1;

/**
 * The rows of all mints and of their owners. A mint has a row while it has an owner. A holder takes
 * 56 bytes plus its index entry.
 */
export class HolderTable {
  readonly rows: HolderRows;
  readonly order: TopHolders;
  private readonly mints: RowTable;
  private readonly index: PairIndex;
  private readonly ids: AddressIds<Address>;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.rows = new RowTable(HOLDER_LAYOUT, undo, 'holders');
    this.mints = new RowTable(MINT_HOLDERS_LAYOUT, undo, 'holders of mints');
    this.index = new PairIndex(undo, 'holder index');
    this.order = new TopHolders(this.rows, this.mints, ids);
  }

  /** Mints with an owner. */
  get mintCount(): number {
    return this.mints.size;
  }

  /** Bytes of rows and index, without the address ids. */
  get allocatedBytes(): number {
    const { rows, mints, index } = this;
    return rows.allocatedBytes + mints.allocatedBytes + index.allocatedBytes;
  }

  /** The row of a mint, -1 if it has no owner. */
  findMint(mint: Address): number {
    const id = this.ids.find(mint);
    return id === -1 ? -1 : this.index.get(id, OF_MINT);
  }

  /** The row of an owner of a mint, -1 if there is none. No search is needed if it is `guess`. */
  find(mint: Address, owner: Address, guess = -1): number {
    const [mintId, ownerId] = [this.ids.find(mint), this.ids.find(owner)];
    if (mintId === -1 || ownerId === -1) return -1;
    const isRow = guess !== -1 && this.ownerIdOf(guess) === ownerId;
    return isRow && this.mintIdOf(guess) === mintId ? guess : this.index.get(mintId, ownerId);
  }

  /** Adds the row of an owner that has none, without a balance. */
  add(mint: Address, owner: Address, at: Moment): number {
    const { rows, mints, index, ids } = this;
    const [mintId, ownerId] = [ids.idOf(mint), ids.idOf(owner)];
    const mintRow = this.openMint(mintId);
    mints.setNumber(mintRow, mintFields.owners, mints.number(mintRow, mintFields.owners) + 1);
    const row = rows.add();
    rows.setNumber(row, fields.mint, mintRow);
    rows.setNumber(row, fields.owner, ownerId);
    rows.setNumber(row, fields.firstSeenMs, knownTimeMs(at) ?? UNKNOWN_TIME);
    index.set(mintId, ownerId, row);
    return row;
  }

  /** Removes a row that is in no tree, and that of its mint with its last owner. */
  remove(row: number): void {
    const { rows, mints, index } = this;
    const mintRow = rows.number(row, fields.mint);
    const mintId = mints.number(mintRow, mintFields.mint);
    const owners = mints.number(mintRow, mintFields.owners) - 1;
    index.delete(mintId, rows.number(row, fields.owner));
    rows.remove(row);
    if (owners > 0) mints.setNumber(mintRow, mintFields.owners, owners);
    else {
      index.delete(mintId, OF_MINT);
      mints.remove(mintRow);
    }
  }

  mintOf(row: number): Address {
    return this.ids.addressOf(this.mintIdOf(row));
  }

  mintIdOf(row: number): number {
    return this.mints.number(this.rows.number(row, fields.mint), mintFields.mint);
  }

  ownerOf(row: number): Address {
    return this.ids.addressOf(this.ownerIdOf(row));
  }

  ownerIdOf(row: number): number {
    return this.rows.number(row, fields.owner);
  }

  /** The public record of a row. */
  balanceAt(row: number, isPool: boolean): HolderBalance {
    const { rows } = this;
    const firstSeenMs = rows.number(row, fields.firstSeenMs);
    return {
      mint: this.mintOf(row),
      owner: this.ownerOf(row),
      balanceRaw: balanceOf(rows, row),
      isPool,
      firstSeenMs: firstSeenMs === UNKNOWN_TIME ? null : firstSeenMs,
      slot: asSlot(rows.number(row, fields.changedSlot) - 1),
    };
  }

  private openMint(mintId: number): number {
    const known = this.index.get(mintId, OF_MINT);
    if (known !== -1) return known;
    const row = this.mints.add();
    this.mints.setNumber(row, mintFields.mint, mintId);
    this.index.set(mintId, OF_MINT, row);
    return row;
  }
}

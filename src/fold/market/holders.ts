import type { AddressIds } from '../../lib/address-ids.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { HolderBalance } from '../../model/derived.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import { BURN_ADDRESSES } from '../../model/known-owners.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { TokenBalanceChange } from '../../model/slot-facts.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import { DetachedHolders } from './detached-holders.ts';
import {
  asideOf,
  balanceOf,
  HOLDER_FLAG,
  HOLDER_LAYOUT,
  hasFlag,
  hasRoom,
  isAccountAmount,
  setAside,
  setBalance,
  setFlag,
} from './holder-row.ts';
import { HolderTable } from './holder-table.ts';
import type { Moment } from './logical-time.ts';
import { leastHolding } from './mint-holders.ts';
import { PoolOwners } from './pool-owners.ts';
import { TokenAccounts } from './token-accounts.ts';

const { changedSlot, owner: ownerField } = HOLDER_LAYOUT.fields;

/** An owner, and its row among the holders of a mint. */
interface OwnerRow {
  readonly owner: Address;
  /** -1 if it has none. */
  readonly row: number;
}

/**
 * The balances of the holders of each mint. A holder is an owner: its balance is the sum over its
 * token accounts, from the balances recorded in transactions. An account that existed before the
 * stored history is added with its balance when it is first seen.
 *
 * Nearly every owner has one account of a mint. The balance of this main account is the owner's
 * balance minus the balances of its other accounts, so only those are stored separately.
 *
 * A change to an amount that no account can hold, and one that would raise an owner's sum to 2^72
 * (256 times the largest possible supply), are ignored and counted as contradictions.
 *
 * The quote mints (SOL and the stablecoins) are excluded: most of their accounts are temporary
 * wrappers that exist for one transaction.
 */
export class HolderBook {
  private readonly table: HolderTable;
  private readonly accounts: TokenAccounts;
  private readonly poolOwners: PoolOwners;
  private readonly detached: DetachedHolders;
  /** Rows changed since the last `takeChanges`. */
  private changed: number[] = [];
  private readonly total: StateValue<{ contradictions: number; ownerless: number }>;
  private readonly undo: UndoLog;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.undo = undo;
    this.table = new HolderTable(ids, undo);
    this.detached = new DetachedHolders(this.table);
    this.accounts = new TokenAccounts(undo);
    this.poolOwners = new PoolOwners(ids, undo);
    this.total = new StateValue({ contradictions: 0, ownerless: 0 }, undo, 'holder contradictions');
  }

  /** Applies the balance of one account after one transaction. */
  apply(change: TokenBalanceChange, at: Moment): void {
    if (isQuoteMint(change.mint)) return;
    const account = this.accounts.find(change.account);
    const row = account === -1 ? -1 : this.accounts.holderOf(account);
    const owner = change.owner ?? this.knownOwner(row, change.mint);
    if (owner === null) {
      this.undo.keep(this.total.now);
      this.total.now.ownerless++;
      return;
    }
    const target = this.table.find(change.mint, owner, row);
    const balanceRaw =
      row === -1 ? change.before : this.accounts.balanceOf(account, this.table.rows);
    const isStorable = this.canStore(change.after, target, target === row ? balanceRaw : 0n);
    if (!isStorable || balanceRaw !== change.before) {
      this.undo.keep(this.total.now);
      this.total.now.contradictions++;
    }
    if (!isStorable) return;
    if (row !== -1 && row === target) this.set(account, row, change.after, at);
    else {
      // The owner changed, or the account was closed and reopened for another mint.
      if (row !== -1) this.set(account, row, asRawAmount(0n), at);
      this.open(change, { owner, row: target }, at);
    }
  }

  /**
   * Marks an owner of pool vaults. Its existing balances of `mints` are marked immediately, those
   * of other mints at their next change.
   */
  addPoolOwner(owner: Address, mints: readonly Address[], at: Moment): void {
    if (this.poolOwners.has(owner)) return;
    this.poolOwners.add(owner);
    for (const mint of mints) {
      const row = this.table.find(mint, owner);
      if (row === -1) continue;
      this.exclude(row);
      this.touch(row, at);
    }
    // Reads between two transactions see the slot before, in which all rows are in their trees.
    this.detached.putBack();
  }

  /** Balances changed since the last call, in order of first change; 0 for former holders. */
  takeChanges(): HolderBalance[] {
    this.detached.putBack();
    const balances = this.changed.map((row) => this.toBalance(row));
    // A row is listed twice if it changed in two slots.
    for (const row of new Set(this.changed)) {
      if (balanceOf(this.table.rows, row) === 0n) this.table.remove(row);
    }
    this.changed = [];
    return balances;
  }

  /**
   * The largest holders of a mint, including pools and burn addresses, largest first. With `after`,
   * only holders after that cursor.
   */
  top(
    mint: Address,
    limit: number,
    supplyRaw: bigint | null,
    after: HolderCursor | null = null,
  ): HolderBalance[] {
    const mintRow = this.table.findMint(mint);
    if (mintRow === -1) return [];
    this.detached.putBack();
    const least = leastHolding(supplyRaw);
    const { order } = this.table;
    const rows = after === null ? order.first(mintRow, limit) : order.after(mintRow, after, limit);
    return rows.map((row) => this.toBalance(row)).filter(({ balanceRaw }) => balanceRaw >= least);
  }

  /** Owners with more than dust, except pools and burn addresses. */
  count(mint: Address, supplyRaw: bigint | null): number {
    const mintRow = this.table.findMint(mint);
    if (mintRow === -1) return 0;
    this.detached.putBack();
    return this.table.order.countAtLeast(mintRow, leastHolding(supplyRaw));
  }

  /**
   * Whether an owner counts as a holder: neither a pool nor a burn address, with more than dust.
   */
  isHolder(mint: Address, owner: Address, supplyRaw: bigint | null): boolean {
    const row = this.table.find(mint, owner);
    if (row === -1 || hasFlag(this.table.rows, row, HOLDER_FLAG.excluded)) return false;
    return balanceOf(this.table.rows, row) >= leastHolding(supplyRaw);
  }

  /** An owner with a balance, as of its last change. */
  find(mint: Address, owner: Address): HolderBalance | null {
    const row = this.table.find(mint, owner);
    return row === -1 ? null : this.toBalance(row);
  }

  /** The balance of an owner. */
  balanceOfOwner(mint: Address, owner: Address): RawAmount {
    const row = this.table.find(mint, owner);
    return row === -1 ? asRawAmount(0n) : balanceOf(this.table.rows, row);
  }

  /** The owner of a token account; null if the account is empty or unknown. */
  ownerOf(account: Address): Address | null {
    const known = this.accounts.find(account);
    return known === -1 ? null : this.table.ownerOf(this.accounts.holderOf(known));
  }

  /** The total balance of the burn addresses. */
  burned(mint: Address): RawAmount {
    let burnedRaw = 0n;
    for (const owner of BURN_ADDRESSES) burnedRaw += this.balanceOfOwner(mint, owner);
    return asRawAmount(burnedRaw);
  }

  /** Balance changes that do not start at the previously known balance: history is missing. */
  get contradictionCount(): number {
    return this.total.now.contradictions;
  }

  /** Balance changes of accounts with an unknown owner; they are not assigned to a holder. */
  get ownerlessCount(): number {
    return this.total.now.ownerless;
  }

  get accountCount(): number {
    return this.accounts.size;
  }

  get mintCount(): number {
    return this.table.mintCount;
  }

  /** Pairs of mint and owner. */
  get size(): number {
    return this.table.rows.size;
  }

  /** Bytes of rows and indexes, without the addresses. */
  get allocatedBytes(): number {
    return this.table.allocatedBytes + this.accounts.allocatedBytes;
  }

  /** The owner of an account at its last change, if that was of the same mint. */
  private knownOwner(row: number, mint: Address): Address | null {
    return row !== -1 && this.table.mintOf(row) === mint ? this.table.ownerOf(row) : null;
  }

  /** Whether the balance of an owner, whose row is -1 if it has none, can grow by an account's. */
  private canStore(amountRaw: bigint, row: number, beforeRaw: bigint): boolean {
    if (!isAccountAmount(amountRaw)) return false;
    return row === -1 || amountRaw <= beforeRaw || hasRoom(this.table.rows, row);
  }

  /** Adds an account that was empty or unknown so far to its owner, whose row is -1 for none. */
  private open(change: TokenBalanceChange, { owner, row: known }: OwnerRow, at: Moment): void {
    const { account, mint, after } = change;
    // Owners without a balance, and mints without owners, are not stored.
    if (after === 0n && known === -1) return;
    const row = known === -1 ? this.openHolder(mint, owner, at) : known;
    const { rows } = this.table;
    if (after !== 0n) {
      const asideRaw = asideOf(rows, row);
      if (balanceOf(rows, row) === asideRaw) this.accounts.openMain(account, row);
      else {
        this.accounts.openAside(account, row, after);
        setAside(rows, row, asideRaw + after);
      }
    }
    this.add(row, after, at);
  }

  private openHolder(mint: Address, owner: Address, at: Moment): number {
    const row = this.table.add(mint, owner, at);
    const isPool = this.poolOwners.hasNumbered(owner, this.table.ownerIdOf(row));
    if (isPool || BURN_ADDRESSES.has(owner)) this.exclude(row);
    return row;
  }

  /** Sets the balance of one account of an owner. */
  private set(account: number, row: number, balanceRaw: RawAmount, at: Moment): void {
    const { rows } = this.table;
    const delta = balanceRaw - this.accounts.balanceOf(account, rows);
    if (this.accounts.isAside(account)) {
      this.accounts.setAside(account, balanceRaw);
      setAside(rows, row, asideOf(rows, row) + delta);
    }
    this.add(row, delta, at);
    // An empty account is equivalent to a missing one.
    if (balanceRaw === 0n) this.accounts.close(account);
  }

  private add(row: number, delta: bigint, at: Moment): void {
    this.touch(row, at);
    if (delta === 0n) return;
    const { rows } = this.table;
    const balanceRaw = balanceOf(rows, row) + delta;
    this.detached.beforeBalance(row, balanceRaw);
    setBalance(rows, row, balanceRaw);
    if (this.poolOwners.isAdded(rows.number(row, ownerField))) this.exclude(row);
  }

  private touch(row: number, at: Moment): void {
    const { rows } = this.table;
    const changed = at.slot + 1;
    if (rows.number(row, changedSlot) === changed) return;
    rows.setNumber(row, changedSlot, changed);
    this.changed.push(row);
  }

  private exclude(row: number): void {
    const { rows } = this.table;
    if (hasFlag(rows, row, HOLDER_FLAG.excluded)) return;
    this.detached.takeOut(row);
    setFlag(rows, row, HOLDER_FLAG.excluded, true);
  }

  private toBalance(row: number): HolderBalance {
    const { table } = this;
    const isPool = this.poolOwners.hasNumbered(table.ownerOf(row), table.ownerIdOf(row));
    return table.balanceAt(row, isPool);
  }
}

import { UndoLog } from '../../lib/undo-log.ts';
import type { HolderBalance } from '../../model/derived.ts';
import type { HolderCursor } from '../../model/holder-page.ts';
import { BURN_ADDRESSES, POOL_AUTHORITIES } from '../../model/known-owners.ts';
import { isQuoteMint } from '../../model/quote-mints.ts';
import type { TokenBalanceChange } from '../../model/slot-facts.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import { holderBalanceOf, newNode, restoreAside } from './holder-node.ts';
import { type DetachedHolder, putBack, restoreInOrder, takeOut } from './holder-order.ts';
import type { Moment } from './logical-time.ts';
import {
  burnedOf,
  countHolders,
  digestRowsOf,
  leastHolding,
  type MintHolders,
  newMintHolders,
} from './mint-holders.ts';
import type { HolderNode } from './top-holders.ts';

/**
 * The balances of the holders of each mint. A holder is an owner: its balance is the sum over its
 * token accounts, from the balances recorded in transactions. An account that existed before the
 * stored history is added with its balance when it is first seen.
 *
 * Nearly every owner has one account of a mint. The balance of this main account is the owner's
 * balance minus the balances of its other accounts, so only those are stored separately.
 *
 * The quote mints (SOL and the stablecoins) are excluded: most of their accounts are temporary
 * wrappers that exist for one transaction.
 */
export class HolderBook {
  /** Token accounts with a balance, and their owners. */
  private readonly accounts = new Map<Address, HolderNode>();
  /** Balances of accounts other than the owner's main account. */
  private readonly asides = new Map<Address, RawAmount>();
  private readonly mints = new Map<Address, MintHolders>();
  private readonly poolOwners = new Set<Address>(POOL_AUTHORITIES);
  private changed: DetachedHolder[] = [];
  private out: DetachedHolder[] = [];
  private readonly total = { contradictions: 0, ownerless: 0 };
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /** Applies the balance of one account after one transaction. */
  apply(change: TokenBalanceChange, at: Moment): void {
    if (isQuoteMint(change.mint)) return;
    const known = this.accounts.get(change.account);
    const owner = change.owner ?? (known?.mint === change.mint ? known.owner : null);
    if (owner === null) {
      this.undo.keep(this.total);
      this.total.ownerless++;
      return;
    }
    if (known !== undefined && this.balanceOf(change.account, known) !== change.before) {
      this.undo.keep(this.total);
      this.total.contradictions++;
    }
    if (known?.owner === owner && known.mint === change.mint) {
      this.set(change.account, known, change.after, at);
    } else {
      // The owner changed, or the account was closed and reopened for another mint.
      if (known !== undefined) this.set(change.account, known, asRawAmount(0n), at);
      this.open(change, owner, at);
    }
  }

  /**
   * Marks an owner of pool vaults. Its existing balances of `mints` are marked immediately, those
   * of other mints at their next change.
   */
  addPoolOwner(owner: Address, mints: readonly Address[], at: Moment): void {
    if (this.poolOwners.has(owner)) return;
    this.undo.set(this.poolOwners, owner);
    this.poolOwners.add(owner);
    for (const mint of mints) {
      const holders = this.mints.get(mint);
      const node = holders?.owners.get(owner);
      if (holders === undefined || node === undefined) continue;
      this.exclude(holders, owner);
      this.touch(holders, node, at);
    }
  }

  /** Balances changed since the last call, in order of first change; 0 for former holders. */
  takeChanges(): HolderBalance[] {
    this.putBack();
    const rows = this.changed.map(({ node }) => this.toRow(node));
    for (const { holders, node } of this.changed) {
      if (node.balanceRaw === 0n) this.forget(holders, node);
    }
    this.changed = [];
    return rows;
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
    const holders = this.mints.get(mint);
    if (holders === undefined) return [];
    this.putBack();
    const least = leastHolding(supplyRaw);
    const { order } = holders;
    const nodes = after === null ? order.first(limit) : order.after(after, limit);
    return nodes.filter((node) => node.balanceRaw >= least).map((node) => this.toRow(node));
  }

  /** Holders of a mint that are neither pools nor burn addresses. */
  count(mint: Address, supplyRaw: bigint | null): number {
    const holders = this.mints.get(mint);
    if (holders === undefined) return 0;
    this.putBack();
    return countHolders(holders, supplyRaw);
  }

  /**
   * Whether an owner counts as a holder: neither a pool nor a burn address, with more than dust.
   */
  isHolder(mint: Address, owner: Address, supplyRaw: bigint | null): boolean {
    const holders = this.mints.get(mint);
    if (holders === undefined || holders.excluded.has(owner)) return false;
    return (holders.owners.get(owner)?.balanceRaw ?? 0n) >= leastHolding(supplyRaw);
  }

  /** An owner with a balance, as of its last change. */
  find(mint: Address, owner: Address): HolderBalance | null {
    const node = this.mints.get(mint)?.owners.get(owner);
    return node === undefined ? null : this.toRow(node);
  }

  /** The balance of an owner. */
  balanceOfOwner(mint: Address, owner: Address): RawAmount {
    return asRawAmount(this.mints.get(mint)?.owners.get(owner)?.balanceRaw ?? 0n);
  }

  /** The owner of a token account; null if the account is empty or unknown. */
  ownerOf(account: Address): Address | null {
    return this.accounts.get(account)?.owner ?? null;
  }

  /** The total balance of the burn addresses. */
  burned(mint: Address): RawAmount {
    const holders = this.mints.get(mint);
    return holders === undefined ? asRawAmount(0n) : burnedOf(holders);
  }

  /** Balance changes that do not start at the previously known balance: history is missing. */
  get contradictionCount(): number {
    return this.total.contradictions;
  }

  /** Balance changes of accounts with an unknown owner; they are not assigned to a holder. */
  get ownerlessCount(): number {
    return this.total.ownerless;
  }

  get accountCount(): number {
    return this.accounts.size;
  }

  get mintCount(): number {
    return this.mints.size;
  }

  /** Largest number of owners of one mint. Linear in mints: for metrics, not for every slot. */
  get ownersPerMintPeak(): number {
    let peak = 0;
    for (const { owners } of this.mints.values()) peak = Math.max(peak, owners.size);
    return peak;
  }

  /** Every balance, by mint and owner, then every account. */
  *digestRows(): Iterable<string> {
    for (const mint of [...this.mints.keys()].sort()) {
      const holders = this.mints.get(mint);
      if (holders !== undefined) yield* digestRowsOf(holders);
    }
    for (const account of [...this.accounts.keys()].sort()) {
      const node = this.accounts.get(account);
      if (node === undefined) continue;
      yield `account ${account} ${node.mint} ${node.owner} ${this.balanceOf(account, node)}`;
    }
    for (const owner of [...this.poolOwners].sort()) yield `pool owner ${owner}`;
    yield `contradictions ${this.total.contradictions} ownerless ${this.total.ownerless}`;
  }

  /** Adds an account that was empty or unknown so far. */
  private open({ account, mint, after }: TokenBalanceChange, owner: Address, at: Moment): void {
    // Owners without a balance, and mints without owners, are not stored.
    if (after === 0n && this.mints.get(mint)?.owners.has(owner) !== true) return;
    const holders = this.holdersOf(mint);
    let node = holders.owners.get(owner);
    if (node === undefined) {
      node = newNode(owner, holders.mint, at);
      this.undo.map(holders.owners, owner);
      holders.owners.set(owner, node);
      if (BURN_ADDRESSES.has(owner) || this.poolOwners.has(owner)) this.exclude(holders, owner);
    }
    if (after !== 0n) {
      const hasMain = node.balanceRaw !== node.asideRaw;
      this.undo.map(this.accounts, account);
      this.accounts.set(account, node);
      if (hasMain) this.setAside(account, node, after);
    }
    this.add(holders, node, after, at);
  }

  /** The balance of one account of an owner. */
  private balanceOf(account: Address, node: HolderNode): bigint {
    const aside = node.asideRaw === 0n ? undefined : this.asides.get(account);
    return aside ?? node.balanceRaw - node.asideRaw;
  }

  /** Sets the balance of one account of an owner. */
  private set(account: Address, node: HolderNode, balanceRaw: RawAmount, at: Moment): void {
    const delta = balanceRaw - this.balanceOf(account, node);
    if (node.asideRaw !== 0n && this.asides.has(account)) this.setAside(account, node, balanceRaw);
    this.add(this.holdersOf(node.mint), node, delta, at);
    // An empty account is equivalent to a missing one.
    if (balanceRaw !== 0n) return;
    this.undo.map(this.accounts, account);
    this.accounts.delete(account);
  }

  private setAside(account: Address, node: HolderNode, balanceRaw: RawAmount): void {
    const delta = balanceRaw - (this.asides.get(account) ?? 0n);
    this.undo.map(this.asides, account);
    if (balanceRaw === 0n) this.asides.delete(account);
    else this.asides.set(account, balanceRaw);
    this.undo.step(restoreAside, node, node.asideRaw);
    node.asideRaw = asRawAmount(node.asideRaw + delta);
  }

  private holdersOf(mint: Address): MintHolders {
    const known = this.mints.get(mint);
    if (known !== undefined) return known;
    const holders = newMintHolders(mint);
    this.undo.map(this.mints, mint);
    this.mints.set(mint, holders);
    return holders;
  }

  private add(holders: MintHolders, node: HolderNode, delta: bigint, at: Moment): void {
    this.touch(holders, node, at);
    if (delta === 0n) return;
    takeOut(this.out, holders, node);
    node.balanceRaw = asRawAmount(node.balanceRaw + delta);
    if (this.poolOwners.has(node.owner)) this.exclude(holders, node.owner);
  }

  private putBack(): void {
    putBack(this.out);
    this.out = [];
  }

  private touch(holders: MintHolders, node: HolderNode, at: Moment): void {
    if (node.slot === at.slot) return;
    this.undo.step(restoreInOrder, holders.order, node, node.balanceRaw, node.slot);
    node.slot = at.slot;
    this.changed.push({ holders, node });
  }

  private exclude({ excluded }: MintHolders, owner: Address): void {
    if (excluded.has(owner)) return;
    this.undo.set(excluded, owner);
    excluded.add(owner);
  }

  private forget({ mint, owners, excluded }: MintHolders, node: HolderNode): void {
    this.undo.map(owners, node.owner);
    owners.delete(node.owner);
    this.undo.set(excluded, node.owner);
    excluded.delete(node.owner);
    if (owners.size > 0) return;
    this.undo.map(this.mints, mint);
    this.mints.delete(mint);
  }

  private toRow(node: HolderNode): HolderBalance {
    return holderBalanceOf(node, this.poolOwners.has(node.owner));
  }
}

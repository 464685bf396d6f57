import type { AddressIds } from '../../lib/address-ids.ts';
import { NameNumbers } from '../../lib/name-numbers.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import type { Field } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { addToWide, type WideField, wideSum } from '../../lib/wide-sum.ts';
import type {
  LockTerms,
  LpLock,
  PoolCreated,
  TokenLock,
  TokenTransfer,
} from '../../model/chain-event.ts';
import type { Venue } from '../../model/program.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import { LOCK_LAYOUT, LP_MINT_LAYOUT, lockTermsOf, setLockTerms } from './lock-row.ts';

const LP = LP_MINT_LAYOUT.fields;
const LOCK = LOCK_LAYOUT.fields;

/** First keys of the index: what the second key, an address id, names. */
const KEY = { lpMint: 0, pool: 1, escrow: 2, newestLock: 3 } as const;

/** A lock counts as locked liquidity if nothing of it is released for at least this long. */
export const LONG_LOCK_MS = 30 * 24 * 60 * 60 * 1_000;

/** The tokens in one escrow of a locker. */
export interface Lock {
  readonly mint: Address;
  readonly amountRaw: bigint;
  /** Null if the lock began before the stored history. */
  readonly terms: LockTerms | null;
}

/**
 * The locked amounts of each mint: in lockers, and for LP tokens also the amounts burned or locked
 * at the pool itself.
 *
 * A venue burns LP tokens when liquidity is withdrawn. Therefore a burn locks the liquidity behind
 * the LP tokens only if it happened outside the instructions of the pool's own venue; a launchpad
 * that burns the LP tokens of the pool it migrated to is another venue. A burn at an unknown place
 * is ignored. Pools whose positions are not LP tokens are not covered.
 *
 * Events with amounts of more than 64 bits are ignored. A pool with an LP mint takes 48 bytes, an
 * escrow with a balance 56, each with its index entries.
 */
export class LockBook {
  private readonly ids: AddressIds<Address>;
  private readonly lpMints: RowTable;
  private readonly locks: RowTable;
  /** Keys: a member of KEY and the address id that it names. */
  private readonly index: PairIndex;
  private readonly venues: NameNumbers<Venue>;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.lpMints = new RowTable(LP_MINT_LAYOUT, undo, 'lp mints');
    this.locks = new RowTable(LOCK_LAYOUT, undo, 'locks');
    this.index = new PairIndex(undo, 'lock index');
    this.venues = new NameNumbers(undo, 'lock venues');
  }

  applyPoolCreated({ lpMint, pool, venue }: PoolCreated): void {
    if (lpMint === null || this.find(KEY.lpMint, lpMint) !== -1) return;
    const [mintId, poolId] = [this.ids.idOf(lpMint), this.ids.idOf(pool)];
    const row = this.lpMints.add();
    this.lpMints.setNumber(row, LP.mint, mintId);
    this.lpMints.setNumber(row, LP.pool, poolId);
    this.lpMints.setNumber(row, LP.venue, this.venues.numberOf(venue));
    this.index.set(KEY.lpMint, mintId, row);
    this.index.set(KEY.pool, poolId, row);
  }

  applyBurn({ mint, burnVenue, amountGross }: TokenTransfer): void {
    if (burnVenue === undefined || !isAmount(amountGross)) return;
    const lp = this.find(KEY.lpMint, mint);
    if (lp === -1 || burnVenue === this.venueOf(lp)) return;
    addToWide(this.lpMints, lp, LP.burnedRaw, amountGross);
  }

  /** Applies a lock at the pool itself. Only permanent locks count; others have no known end. */
  applyLpLock({ pool, lockKind, amountRaw }: LpLock): void {
    const lp = this.find(KEY.pool, pool);
    if (lp === -1 || lockKind !== 'permanent' || !isAmount(amountRaw)) return;
    addToWide(this.lpMints, lp, LP.permanentRaw, amountRaw);
  }

  /** Applies an escrow change. A release beyond the known amount was locked before the history. */
  applyTokenLock({ escrow, mint, escrowDelta, terms }: TokenLock): void {
    if (!isAmount(escrowDelta)) return;
    const known = this.find(KEY.escrow, escrow);
    const before = known === -1 ? 0n : wideSum(this.locks, known, LOCK.amountRaw);
    if (before + escrowDelta <= 0n) {
      if (known !== -1) this.forget(known);
      return;
    }
    const row = known === -1 ? this.remember(escrow, mint) : known;
    addToWide(this.locks, row, LOCK.amountRaw, escrowDelta);
    if (terms !== null) setLockTerms(this.locks, row, terms);
  }

  /** LP mint of a pool whose creation was seen; null for a pool without LP tokens. */
  lpMintOf(pool: Address): Address | null {
    const lp = this.find(KEY.pool, pool);
    return lp === -1 ? null : this.addressIn(this.lpMints, lp, LP.mint);
  }

  /** The pool of an LP mint; null for any other mint. */
  poolOf(lpMint: Address): Address | null {
    const lp = this.find(KEY.lpMint, lpMint);
    return lp === -1 ? null : this.addressIn(this.lpMints, lp, LP.pool);
  }

  /** LP tokens that were burned, which locks the liquidity behind them. */
  burned(lpMint: Address): RawAmount {
    return asRawAmount(this.amountOfLp(lpMint, LP.burnedRaw));
  }

  /** Existing LP tokens that are locked permanently, or for at least LONG_LOCK_MS from `timeMs`. */
  lockedAt(lpMint: Address, timeMs: number): RawAmount {
    let lockedRaw = this.amountOfLp(lpMint, LP.permanentRaw);
    for (const row of this.locksOf(lpMint)) {
      if (isLongLock(lockTermsOf(this.locks, row), timeMs)) lockedRaw += this.amountOf(row);
    }
    return asRawAmount(lockedRaw);
  }

  /** The total amount of a mint in lockers, under any terms. */
  lockedInLockers(mint: Address): RawAmount {
    let heldRaw = 0n;
    for (const row of this.locksOf(mint)) heldRaw += this.amountOf(row);
    return asRawAmount(heldRaw);
  }

  /** The current lock of an escrow; undefined if it is empty. */
  lockOf(escrow: Address): Lock | undefined {
    const row = this.find(KEY.escrow, escrow);
    return row === -1 ? undefined : this.lockAt(row);
  }

  /** Escrow token accounts with a balance of a mint. */
  *escrowsOf(mint: Address): Iterable<Address> {
    for (const row of this.locksOf(mint)) yield this.addressIn(this.locks, row, LOCK.escrow);
  }

  get lockCount(): number {
    return this.locks.size;
  }

  private find(key: number, address: Address): number {
    const id = this.ids.find(address);
    return id === -1 ? -1 : this.index.get(key, id);
  }

  private addressIn(rows: RowTable, row: number, field: Field<'u32'>): Address {
    return this.ids.addressOf(rows.number(row, field));
  }

  private venueOf(lp: number): Venue {
    return this.venues.nameOf(this.lpMints.number(lp, LP.venue));
  }

  private amountOfLp(lpMint: Address, field: WideField): bigint {
    const lp = this.find(KEY.lpMint, lpMint);
    return lp === -1 ? 0n : wideSum(this.lpMints, lp, field);
  }

  private amountOf(lock: number): bigint {
    return wideSum(this.locks, lock, LOCK.amountRaw);
  }

  private lockAt(row: number): Lock {
    const mint = this.addressIn(this.locks, row, LOCK.mint);
    return { mint, amountRaw: this.amountOf(row), terms: lockTermsOf(this.locks, row) };
  }

  private *locksOf(mint: Address): Iterable<number> {
    let row = this.find(KEY.newestLock, mint);
    for (; row !== -1; row = this.locks.number(row, LOCK.older) - 1) yield row;
  }

  private remember(escrow: Address, mint: Address): number {
    const { locks, index } = this;
    const [escrowId, mintId] = [this.ids.idOf(escrow), this.ids.idOf(mint)];
    const older = index.get(KEY.newestLock, mintId);
    const row = locks.add();
    locks.setNumber(row, LOCK.escrow, escrowId);
    locks.setNumber(row, LOCK.mint, mintId);
    locks.setNumber(row, LOCK.older, older + 1);
    if (older !== -1) locks.setNumber(older, LOCK.newer, row + 1);
    index.set(KEY.newestLock, mintId, row);
    index.set(KEY.escrow, escrowId, row);
    return row;
  }

  private forget(row: number): void {
    const { locks, index } = this;
    const mint = locks.number(row, LOCK.mint);
    const newer = locks.number(row, LOCK.newer) - 1;
    const older = locks.number(row, LOCK.older) - 1;
    if (older !== -1) locks.setNumber(older, LOCK.newer, newer + 1);
    if (newer !== -1) locks.setNumber(newer, LOCK.older, older + 1);
    else if (older === -1) index.delete(KEY.newestLock, mint);
    else index.set(KEY.newestLock, mint, older);
    index.delete(KEY.escrow, locks.number(row, LOCK.escrow));
    locks.remove(row);
  }
}

/** Token amounts have 64 bits; an event with a larger one does not come from the chain. */
function isAmount(amountRaw: bigint): boolean {
  return amountRaw <= AMOUNT_MAX && amountRaw >= -AMOUNT_MAX;
}

const AMOUNT_MAX = 2n ** 64n - 1n;

function isLongLock(terms: LockTerms | null, timeMs: number): boolean {
  if (terms === null || terms.isRevocable) return false;
  if (terms.isPermanent) return true;
  return terms.firstUnlockTimeMs !== null && terms.firstUnlockTimeMs - timeMs >= LONG_LOCK_MS;
}

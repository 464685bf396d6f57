import { UndoLog } from '../../lib/undo-log.ts';
import type {
  LockTerms,
  LpLock,
  PoolCreated,
  TokenLock,
  TokenTransfer,
} from '../../model/chain-event.ts';
import type { Venue } from '../../model/program.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';

/** A lock counts as locked liquidity if nothing of it is released for at least this long. */
export const LONG_LOCK_MS = 30 * 24 * 60 * 60 * 1_000;

/** The burned and permanently locked LP tokens of a pool. */
export interface LpMint {
  readonly pool: Address;
  readonly venue: Venue;
  burnedRaw: bigint;
  permanentRaw: bigint;
}

/** The tokens in one escrow of a locker. */
export interface Lock {
  readonly mint: Address;
  amountRaw: bigint;
  /** Null if the lock began before the stored history. */
  terms: LockTerms | null;
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
 * Memory is bounded by the pools seen at their creation and by the escrows with a balance.
 */
export class LockBook {
  private readonly lpMints = new Map<Address, LpMint>();
  private readonly lpMintOfPool = new Map<Address, Address>();
  private readonly locks = new Map<Address, Lock>();
  private readonly escrowsOfMint = new Map<Address, Set<Address>>();
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  applyPoolCreated({ lpMint, pool, venue }: PoolCreated): void {
    if (lpMint === null || this.lpMints.has(lpMint)) return;
    this.undo.map(this.lpMints, lpMint);
    this.undo.map(this.lpMintOfPool, pool);
    this.lpMints.set(lpMint, { pool, venue, burnedRaw: 0n, permanentRaw: 0n });
    this.lpMintOfPool.set(pool, lpMint);
  }

  applyBurn({ mint, burnVenue, amountGross }: TokenTransfer): void {
    const lp = this.lpMints.get(mint);
    if (lp === undefined || burnVenue === undefined || burnVenue === lp.venue) return;
    this.undo.keep(lp);
    lp.burnedRaw += amountGross;
  }

  /** Applies a lock at the pool itself. Only permanent locks count; others have no known end. */
  applyLpLock({ pool, lockKind, amountRaw }: LpLock): void {
    const lpMint = this.lpMintOf(pool);
    const lp = lpMint === null ? undefined : this.lpMints.get(lpMint);
    if (lp === undefined || lockKind !== 'permanent') return;
    this.undo.keep(lp);
    lp.permanentRaw += amountRaw;
  }

  /** Applies an escrow change. A release beyond the known amount was locked before the history. */
  applyTokenLock({ escrow, mint, escrowDelta, terms }: TokenLock): void {
    const known = this.locks.get(escrow);
    const amountRaw = (known?.amountRaw ?? 0n) + escrowDelta;
    if (amountRaw <= 0n) this.forget(escrow, mint);
    else if (known !== undefined) {
      this.undo.keep(known);
      known.amountRaw = amountRaw;
      known.terms = terms ?? known.terms;
    } else this.remember(escrow, { mint, amountRaw, terms });
  }

  /** LP mint of a pool whose creation was seen; null for a pool without LP tokens. */
  lpMintOf(pool: Address): Address | null {
    return this.lpMintOfPool.get(pool) ?? null;
  }

  /** The pool of an LP mint; null for any other mint. */
  poolOf(lpMint: Address): Address | null {
    return this.lpMints.get(lpMint)?.pool ?? null;
  }

  /** LP tokens that were burned, which locks the liquidity behind them. */
  burned(lpMint: Address): RawAmount {
    return asRawAmount(this.lpMints.get(lpMint)?.burnedRaw ?? 0n);
  }

  /** Existing LP tokens that are locked permanently, or for at least LONG_LOCK_MS from `timeMs`. */
  lockedAt(lpMint: Address, timeMs: number): RawAmount {
    let lockedRaw = this.lpMints.get(lpMint)?.permanentRaw ?? 0n;
    for (const { amountRaw, terms } of this.locksOf(lpMint)) {
      if (isLongLock(terms, timeMs)) lockedRaw += amountRaw;
    }
    return asRawAmount(lockedRaw);
  }

  /** The total amount of a mint in lockers, under any terms. */
  lockedInLockers(mint: Address): RawAmount {
    let heldRaw = 0n;
    for (const { amountRaw } of this.locksOf(mint)) heldRaw += amountRaw;
    return asRawAmount(heldRaw);
  }

  /** The current lock of an escrow; undefined if it is empty. */
  lockOf(escrow: Address): Readonly<Lock> | undefined {
    return this.locks.get(escrow);
  }

  /** Escrow token accounts with a balance of a mint. */
  escrowsOf(mint: Address): Iterable<Address> {
    return this.escrowsOfMint.get(mint) ?? [];
  }

  get lockCount(): number {
    return this.locks.size;
  }

  /** LP mints, then escrows, each in sorted order. */
  *digestRows(): Iterable<string> {
    for (const mint of [...this.lpMints.keys()].sort()) {
      const lp = this.lpMints.get(mint);
      yield `lp ${mint} ${lp?.pool} ${lp?.venue} ${lp?.burnedRaw} ${lp?.permanentRaw}`;
    }
    for (const escrow of [...this.locks.keys()].sort()) {
      const lock = this.locks.get(escrow);
      yield `lock ${escrow} ${lock?.mint} ${lock?.amountRaw} ${JSON.stringify(lock?.terms)}`;
    }
  }

  private *locksOf(mint: Address): Iterable<Lock> {
    for (const escrow of this.escrowsOfMint.get(mint) ?? []) {
      const lock = this.locks.get(escrow);
      if (lock !== undefined) yield lock;
    }
  }

  private remember(escrow: Address, lock: Lock): void {
    this.undo.map(this.locks, escrow);
    this.locks.set(escrow, lock);
    const escrows = this.escrowsOfMint.get(lock.mint);
    if (escrows === undefined) {
      this.undo.map(this.escrowsOfMint, lock.mint);
      this.escrowsOfMint.set(lock.mint, new Set([escrow]));
    } else {
      this.undo.set(escrows, escrow);
      escrows.add(escrow);
    }
  }

  private forget(escrow: Address, mint: Address): void {
    this.undo.map(this.locks, escrow);
    this.locks.delete(escrow);
    const escrows = this.escrowsOfMint.get(mint);
    if (escrows === undefined) return;
    this.undo.set(escrows, escrow);
    escrows.delete(escrow);
    if (escrows.size > 0) return;
    this.undo.map(this.escrowsOfMint, mint);
    this.escrowsOfMint.delete(mint);
  }
}

function isLongLock(terms: LockTerms | null, timeMs: number): boolean {
  if (terms === null || terms.isRevocable) return false;
  if (terms.isPermanent) return true;
  return terms.firstUnlockTimeMs !== null && terms.firstUnlockTimeMs - timeMs >= LONG_LOCK_MS;
}

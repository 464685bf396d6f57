import { UndoLog } from '../../lib/undo-log.ts';
import type {
  LockTerms,
  LpLock,
  PoolCreated,
  TokenLock,
  TokenTransfer,
} from '../../model/chain-event.ts';
import type { Venue } from '../../model/program.ts';
import type { Address, RawAmount } from '../../model/units.ts';

/** A lock counts towards a pool's locked liquidity while nothing of it comes free for this long. */
export const LONG_LOCK_MS = 30 * 24 * 60 * 60 * 1_000;

/** What became of a pool's LP tokens, apart from withdrawals. */
export interface LpMint {
  readonly pool: Address;
  readonly venue: Venue;
  burnedRaw: bigint;
  permanentRaw: bigint;
}

/** What one escrow of a locker keeps. */
export interface Lock {
  readonly mint: Address;
  amountRaw: bigint;
  /** Null: entered before the held history. */
  terms: LockTerms | null;
}

/**
 * What is locked of each mint: in lockers, and of LP tokens also what was burned or locked at the
 * pool itself.
 *
 * A venue burns LP tokens when liquidity is withdrawn. So a burn of LP tokens locks the liquidity
 * behind them unless it happened below an instruction of the pool's own venue; a launchpad that
 * burns the LP tokens of the pool it migrated to is another venue. A burn of which it is not known
 * where it happened counts for nothing. Pools whose positions are not LP tokens have no share here.
 *
 * Bounded by the pools met at their creation and by the escrows that keep something.
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

  /** Takes a lock at the pool itself; only those for good count, as the others tell no time. */
  applyLpLock({ pool, lockKind, amountRaw }: LpLock): void {
    const lpMint = this.lpMintOf(pool);
    const lp = lpMint === null ? undefined : this.lpMints.get(lpMint);
    if (lp === undefined || lockKind !== 'permanent') return;
    this.undo.keep(lp);
    lp.permanentRaw += amountRaw;
  }

  /** What an escrow gives back that it was not seen to take came from before the held history. */
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

  /** LP mint of a pool met at its creation, null for one without LP tokens. */
  lpMintOf(pool: Address): Address | null {
    return this.lpMintOfPool.get(pool) ?? null;
  }

  /** The pool whose LP tokens a mint's are, null for any other mint. */
  poolOf(lpMint: Address): Address | null {
    return this.lpMints.get(lpMint)?.pool ?? null;
  }

  /** LP tokens burned to lock the liquidity behind them. */
  burned(lpMint: Address): RawAmount {
    return (this.lpMints.get(lpMint)?.burnedRaw ?? 0n) as RawAmount;
  }

  /** LP tokens that exist and are out of reach for good, or at least LONG_LOCK_MS from `timeMs`. */
  lockedAt(lpMint: Address, timeMs: number): RawAmount {
    let lockedRaw = this.lpMints.get(lpMint)?.permanentRaw ?? 0n;
    for (const { amountRaw, terms } of this.locksOf(lpMint)) {
      if (isLongLock(terms, timeMs)) lockedRaw += amountRaw;
    }
    return lockedRaw as RawAmount;
  }

  /** Everything that lockers keep of a mint, under whatever terms. */
  heldByLockers(mint: Address): RawAmount {
    let heldRaw = 0n;
    for (const { amountRaw } of this.locksOf(mint)) heldRaw += amountRaw;
    return heldRaw as RawAmount;
  }

  /** What an escrow keeps now; undefined when that is nothing. */
  lockOf(escrow: Address): Readonly<Lock> | undefined {
    return this.locks.get(escrow);
  }

  /** Token accounts in which lockers keep some of a mint. */
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

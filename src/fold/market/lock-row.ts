import { rowLayout } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { LockTerms } from '../../model/chain-event.ts';

/**
 * An LP mint and its pool. Amounts are sums of 128 bits (lib/wide-sum.ts): each addend has 64, but
 * LP tokens can be issued and burned again and again.
 */
export const LP_MINT_LAYOUT = rowLayout({
  burnedRaw: ['u64', 2],
  permanentRaw: ['u64', 2],
  mint: 'u32',
  pool: 'u32',
  /** Number of the venue's name. */
  venue: 'u32',
});

/** The tokens in one escrow of a locker, in a list of those of the mint. */
export const LOCK_LAYOUT = rowLayout({
  /** A sum of 128 bits. */
  amountRaw: ['u64', 2],
  firstUnlockTimeMs: 'f64',
  lastUnlockTimeMs: 'f64',
  escrow: 'u32',
  mint: 'u32',
  /** Rows of the neighbours in the list plus one, 0 for none. */
  newer: 'u32',
  older: 'u32',
  /** Bits of TERM; 0 if the lock began before the stored history. */
  terms: 'u8',
});
const FIELD = LOCK_LAYOUT.fields;

const TERM = { known: 1, permanent: 2, revocable: 4, first: 8, last: 16 } as const;

/** The terms of a lock; null if it began before the stored history. */
export function lockTermsOf(rows: RowTable, row: number): LockTerms | null {
  const bits = rows.number(row, FIELD.terms);
  if (bits === 0) return null;
  return {
    isPermanent: (bits & TERM.permanent) !== 0,
    firstUnlockTimeMs: (bits & TERM.first) === 0 ? null : rows.number(row, FIELD.firstUnlockTimeMs),
    lastUnlockTimeMs: (bits & TERM.last) === 0 ? null : rows.number(row, FIELD.lastUnlockTimeMs),
    isRevocable: (bits & TERM.revocable) !== 0,
  };
}

/** Writes the terms of a lock. */
export function setLockTerms(rows: RowTable, row: number, terms: LockTerms): void {
  const { isPermanent, isRevocable, firstUnlockTimeMs, lastUnlockTimeMs } = terms;
  rows.setNumber(row, FIELD.firstUnlockTimeMs, firstUnlockTimeMs ?? 0);
  rows.setNumber(row, FIELD.lastUnlockTimeMs, lastUnlockTimeMs ?? 0);
  const bits =
    TERM.known |
    (isPermanent ? TERM.permanent : 0) |
    (isRevocable ? TERM.revocable : 0) |
    (firstUnlockTimeMs === null ? 0 : TERM.first) |
    (lastUnlockTimeMs === null ? 0 : TERM.last);
  rows.setNumber(row, FIELD.terms, bits);
}

import { createHash } from 'node:crypto';
import { toBigintJson } from '../../lib/bigint-json.ts';
import type { PagePool } from '../../lib/pages/page-pool.ts';
import type { Slot } from '../../model/units.ts';
import { caseDigestRows } from '../cases/case-books.ts';
import type { EngineState } from './engine-state.ts';

/** The logical time, which is not part of a book. */
export interface StateTime {
  readonly timeMs: number;
  readonly timedSlot: Slot | null;
}

/** Books that the digest lists; all others are part of the sums. */
export type DigestedState = Pick<EngineState, 'books' | 'walletBooks' | 'cases'>;

/** SHA-256 over lines of text, in the order given. */
export function digestOf(rows: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(row).update('\n');
  return hash.digest('hex');
}

/** A running digest for values that are not stored: over the previous digest and `values`. */
export function chainedDigest(previous: string, values: readonly unknown[]): string {
  return digestOf([previous, ...values.map(toRow)]);
}

/** All derived state as lines: sorted within each book, books in a fixed order. */
export function* stateRows(
  time: StateTime,
  pages: PagePool,
  { books, walletBooks, cases }: DigestedState,
): Iterable<string> {
  for (const [space, name] of pages.spaceNames.entries()) yield `${name} ${pages.sumOf(space)}`;
  yield toRow(time);
  yield* books.solPrices.digestRows();
  for (const address of books.pools.addresses()) yield toRow(books.pools.get(address));
  yield* books.prices.digestRows();
  yield* books.candles.digestRows();
  yield* books.holders.digestRows();
  yield* books.locks.digestRows();
  yield* walletBooks.funding.digestRows();
  yield* walletBooks.wallets.digestRows();
  yield* walletBooks.positions.digestRows();
  yield* walletBooks.follows.digestRows();
  yield* walletBooks.smart.digestRows();
  yield* walletBooks.poolWallets.digestRows();
  yield* walletBooks.smartFlows.digestRows();
  yield* walletBooks.smartHolders.digestRows();
  yield* caseDigestRows(cases);
}

/**
 * One line for a value. Keys are in insertion order, which is fixed because each kind of value is
 * created in one place only. Bigints are marked: 1n, 1 and "1" differ.
 */
function toRow(value: unknown): string {
  return toBigintJson(value);
}

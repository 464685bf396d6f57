import type { PositionPage, PositionPageQuery } from '../../model/wallet-lists.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import { walletPositionOf } from '../wallets/wallet-record-of.ts';

/** Positions that one page may read: a page of open ones may have fewer than its limit. */
export const POSITIONS_READ_MAX = 10_000;

/** A page of the positions of a wallet, newest first. */
export function positionPageOf(
  books: Books,
  { positions }: Pick<WalletBooks, 'positions'>,
  { wallet, isOpen, before, limit }: PositionPageQuery,
): PositionPage {
  const shown: PositionPage['positions'][number][] = [];
  let last: number | null = null;
  let read = 0;
  // Numbers fall along the list, and positions are never removed.
  for (const number of positions.numbersOf(wallet)) {
    if (before !== null && number >= before) continue;
    if (shown.length === limit || read === POSITIONS_READ_MAX) {
      return { positions: shown, next: last };
    }
    const position = positions.at(number);
    read++;
    last = number;
    if (isOpen && position.heldRaw + position.unknownRaw === 0n) continue;
    shown.push(walletPositionOf(books, position));
  }
  return { positions: shown, next: null };
}

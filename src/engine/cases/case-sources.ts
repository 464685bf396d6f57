import type { Slot } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import type { CaseBooks } from './case-books.ts';

/** What cases are read from, and as of when. */
export interface CaseSources {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly cases: CaseBooks;
  /** The last folded slot, and logical time at its end. */
  readonly slot: Slot;
  readonly timeMs: number;
}

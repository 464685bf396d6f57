import type { Slot } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import type { CaseBooks } from './case-books.ts';

/** The inputs of a case, and the point in time it describes. */
export interface CaseSources {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly cases: CaseBooks;
  /** The last applied slot, and logical time at its end. */
  readonly slot: Slot;
  readonly timeMs: number;
}

import type { Moment } from '../../fold/market/logical-time.ts';
import type { Swap } from '../../model/swap.ts';
import type { Books } from '../books/books.ts';
import type { QuotePrices } from '../books/quote-prices.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import type { WalletOwners } from './wallet-owners.ts';

/** What folding a slot's wallets needs to know. */
export interface WalletFold {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly owners: WalletOwners;
  readonly at: Moment;
  /** Of the slot. */
  readonly quotes: QuotePrices;
  /** Filled: of eligible smart traders, by swap, their score at the trade over 100. */
  readonly smartWeights: Map<Swap, number>;
}

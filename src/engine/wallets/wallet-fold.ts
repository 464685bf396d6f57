import type { Moment } from '../../fold/market/logical-time.ts';
import type { Swap } from '../../model/swap.ts';
import type { Books } from '../books/books.ts';
import type { QuotePrices } from '../books/quote-prices.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import type { WalletOwners } from './wallet-owners.ts';

/** Inputs for applying a slot to the wallet books. */
export interface WalletFold {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly owners: WalletOwners;
  readonly at: Moment;
  /** Quote prices of the slot. */
  readonly quotes: QuotePrices;
  /** Filled by the fold: by swap of an eligible smart trader, the score at the trade over 100. */
  readonly smartWeights: Map<Swap, number>;
}

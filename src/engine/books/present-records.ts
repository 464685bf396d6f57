import type { PoolState } from '../../fold/market/pool-state.ts';
import { presentPool } from '../../fold/market/pool-value.ts';
import { presentToken, type TokenPrice } from '../../fold/market/present-token.ts';
import type { TokenState } from '../../fold/market/token-state.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { type Books, lockedLiquidity } from './books.ts';
import type { WalletBooks } from './wallet-books.ts';

const NO_PRICE: TokenPrice = { priceUsd: null, priceChain: null };

/** The books from which a pool's record is read. */
export interface PoolRecordBooks {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
}

/** The published record of a token in its current state. */
export function toTokenRecord({ pools, holders }: Books, state: TokenState): TokenRecord {
  const primary = state.primaryPool === null ? undefined : pools.get(state.primaryPool);
  return presentToken(state, primary ?? NO_PRICE, holders.burned(state.mint));
}

/** The published record of a pool at `timeMs`. */
export function toPoolRecord(
  { books, walletBooks }: PoolRecordBooks,
  state: PoolState,
  timeMs: number,
): PoolRecord {
  return presentPool(state, {
    walletCount: walletBooks.poolWallets.traderCountOf(state.pool),
    usdPerQuote: books.solPrices.usdPerQuote(state.quoteMint) ?? state.quoteUsd,
    locked: lockedLiquidity(books, state.pool, timeMs),
  });
}

import type { Address } from '../../model/units.ts';
import type { Books } from './books.ts';
import type { WalletBooks } from './wallet-books.ts';

interface InsiderBooks {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
}

/**
 * Whether a wallet may have inside knowledge of a mint: it created the mint, funded the creator,
 * was funded by the creator, or has the same funder. Trades of such wallets are no evidence of
 * skill.
 */
export function isInsider(from: InsiderBooks, mint: Address, wallet: Address): boolean {
  return insidersOf(from, mint)(wallet);
}

/** Same as isInsider, for many wallets of one mint. Valid until the next payment is applied. */
export function insidersOf(
  { books, walletBooks }: InsiderBooks,
  mint: Address,
): (wallet: Address) => boolean {
  const creator = books.tokens.get(mint)?.creator ?? null;
  if (creator === null) return () => false;
  const ofCreator = walletBooks.funding.clusterOf(creator);
  return (wallet) => {
    if (wallet === creator || wallet === ofCreator) return true;
    const cluster = walletBooks.funding.clusterOf(wallet);
    return cluster === creator || cluster === ofCreator;
  };
}

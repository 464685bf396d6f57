import type { Address } from '../../model/units.ts';
import type { Books } from './books.ts';
import type { WalletBooks } from './wallet-books.ts';

interface WhoCreates {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
}

/**
 * Whether a wallet knows more of a mint than others could: it created it, funded the creator or was
 * funded by it, or shares its funder with the creator. What such a wallet does says nothing of skill.
 */
export function isInsider(from: WhoCreates, mint: Address, wallet: Address): boolean {
  return insidersOf(from, mint)(wallet);
}

/** As isInsider, for many wallets of one mint; until somebody is paid. */
export function insidersOf(
  { books, walletBooks }: WhoCreates,
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

import type { Address } from '../model/units.ts';
import type { Books } from './books.ts';
import type { WalletBooks } from './wallet-books.ts';

/**
 * Whether a wallet knows more of a mint than others could: it created it, funded the creator or was
 * funded by it, or shares its funder with the creator. What such a wallet does says nothing of skill.
 */
export function isInsider(
  { books, who }: { readonly books: Books; readonly who: WalletBooks },
  mint: Address,
  wallet: Address,
): boolean {
  const creator = books.tokens.get(mint)?.creator ?? null;
  if (creator === null) return false;
  if (creator === wallet) return true;
  const ofCreator = who.funding.clusterOf(creator);
  const cluster = who.funding.clusterOf(wallet);
  return wallet === ofCreator || cluster === creator || cluster === ofCreator;
}

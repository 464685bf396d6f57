import type { Address } from '../model/units.ts';
import type { Books } from './books.ts';
import type { WalletBooks } from './wallet-books.ts';

/**
 * Whether a wallet knows more of a mint than others could: it created it, or shares its funder with
 * the creator. What such a wallet does says nothing of skill.
 */
export function isInsider(
  { books, who }: { readonly books: Books; readonly who: WalletBooks },
  mint: Address,
  wallet: Address,
): boolean {
  const creator = books.tokens.get(mint)?.creator ?? null;
  if (creator === null) return false;
  if (creator === wallet) return true;
  const cluster = who.funding.clusterOf(wallet);
  return cluster === creator || cluster === who.funding.clusterOf(creator);
}

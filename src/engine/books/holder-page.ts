import type { HolderBalance } from '../../model/derived.ts';
import type { HolderPage, HolderPageQuery, ListedHolder } from '../../model/holder-page.ts';
import { BURN_ADDRESSES } from '../../model/known-owners.ts';
import type { WalletStanding } from '../../model/token-wallets.ts';
import type { Address } from '../../model/units.ts';
import type { Books } from './books.ts';
import type { WalletBooks } from './wallet-books.ts';

/**
 * A page of a mint's holders, starting after the `after` cursor, each with its kind. Balances below
 * a billionth of the supply are left out. `standingOf` reads what is known about a wallet in the mint.
 */
export function holderPageOf(
  books: Books,
  walletBooks: WalletBooks,
  { mint, after, limit }: HolderPageQuery,
  standingOf: (wallet: Address) => WalletStanding,
): HolderPage {
  const supplyRaw = books.tokens.get(mint)?.supplyRaw ?? null;
  const lockers = lockersOf(books, mint);
  // One more than requested shows whether there is a next page.
  const found = books.holders.top(mint, limit + 1, supplyRaw, after);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  let count = books.holders.count(mint, supplyRaw);
  for (const locker of lockers) {
    if (books.holders.isHolder(mint, locker, supplyRaw)) count--;
  }
  return {
    holders: shown.map((holder) => {
      const holderKind = kindOf(walletBooks, holder, lockers);
      const standing = holderKind === 'wallet' ? standingOf(holder.owner) : null;
      return { ...holder, holderKind, standing };
    }),
    count,
    next: last === undefined ? null : { balanceRaw: last.balanceRaw, owner: last.owner },
  };
}

/** Owners of the escrow accounts in which locker programs keep the mint. */
function lockersOf({ locks, holders }: Books, mint: Address): ReadonlySet<Address> {
  const owners = new Set<Address>();
  for (const escrow of locks.escrowsOf(mint)) {
    const owner = holders.ownerOf(escrow);
    if (owner !== null) owners.add(owner);
  }
  return owners;
}

function kindOf(
  { funding }: WalletBooks,
  { owner, isPool }: HolderBalance,
  lockers: ReadonlySet<Address>,
): ListedHolder['holderKind'] {
  if (BURN_ADDRESSES.has(owner)) return 'burn';
  if (isPool) return 'pool';
  if (lockers.has(owner)) return 'locker';
  return funding.classify(owner) ?? 'wallet';
}

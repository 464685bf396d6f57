import { FOLLOW_SLOTS } from '../../fold/smart/follow-book.ts';
import type { Address } from '../../model/units.ts';
import type { LinkTransaction, WalletLink } from '../../model/wallet-lists.ts';
import type { CaseSources } from '../cases/case-sources.ts';

/** Mints in which a wallet must buy right after another for it to follow that one. */
const FOLLOWED_MINTS = 3;
/** The newest followed purchases that a link shows, each with the one that it follows. */
const PURCHASES_MAX = 8;

type Sources = Pick<CaseSources, 'books' | 'walletBooks' | 'cases'>;

/**
 * The wallets that a wallet follows, without their class. `mints` are those in which the purchases
 * are searched, newest first: both first purchases of a mint are shown while trades of it are recorded.
 */
export function followLinksOf(
  sources: Sources,
  wallet: Address,
  mints: readonly Address[],
): Omit<WalletLink, 'class'>[] {
  const followed = sources.walletBooks.follows
    .leadersOf(wallet)
    .filter((each) => each.mints >= FOLLOWED_MINTS);
  if (followed.length === 0) return [];
  const wallets = new Set([wallet, ...followed.map(({ leader }) => leader)]);
  const purchases = mints.map((mint) => firstPurchasesOf(sources, mint, wallets));
  return followed.map(({ leader, mints: count }) => ({
    wallet: leader,
    kind: 'follows',
    strength: count / (count + FOLLOWED_MINTS),
    transactions: purchases
      .flatMap((ofMint) => followedPurchase(ofMint.get(leader), ofMint.get(wallet)))
      .slice(0, PURCHASES_MAX)
      .flat()
      .sort((one, other) => one.slot - other.slot),
    findings: [],
  }));
}

type Purchase = LinkTransaction & { readonly slot: NonNullable<LinkTransaction['slot']> };

/** A pair if the follower bought one to five slots after the leader; none otherwise. */
function followedPurchase(
  leader: Purchase | undefined,
  follower: Purchase | undefined,
): readonly (readonly Purchase[])[] {
  if (leader === undefined || follower === undefined) return [];
  const slots = follower.slot - leader.slot;
  return slots >= 1 && slots <= FOLLOW_SLOTS ? [[leader, follower]] : [];
}

/** The recorded first purchases of a mint by some wallets. */
function firstPurchasesOf(
  { books, walletBooks, cases }: Sources,
  mint: Address,
  wallets: ReadonlySet<Address>,
): ReadonlyMap<Address, Purchase> {
  const found = new Map<Address, Purchase>();
  const decimals = books.tokens.get(mint)?.decimals ?? null;
  // A list of trades lacks those in its middle: a purchase after such a gap may not be the first.
  const isFirst = (wallet: Address, timeMs: number) =>
    walletBooks.positions.get(mint, wallet)?.firstBuyMs === timeMs;
  for (const trade of cases.lists.viewTrades(mint, () => false)) {
    const { wallet, side } = trade;
    if (side !== 'buy' || !wallets.has(wallet) || found.has(wallet)) continue;
    if (!isFirst(wallet, trade.timeMs)) continue;
    const { slot, signature, baseRaw: amountRaw } = trade;
    found.set(wallet, { slot, signature, lamports: null, mint, amountRaw, decimals });
  }
  return found;
}

import type { Swarm } from '../../fold/wallets/swarms/swarm-watch.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';

interface MarkedBooks {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
}

/** A wallet in a mint. */
interface TokenWallet {
  readonly mint: Address;
  readonly wallet: Address;
}

/** Makes a wallet a bot in the pools of a mint, as a sniper of its launch, from a slot on. */
export function markSniper(
  { books, walletBooks }: MarkedBooks,
  { mint, wallet }: TokenWallet,
  verdict: { readonly sinceSlot: Slot; readonly delaySlots: number },
): void {
  const { ids, tokenBots } = walletBooks;
  tokenBots.setSniper(ids.idOf(mint), ids.idOf(wallet), verdict);
  refreshPools({ books, walletBooks }, { mint, wallet });
}

/** Makes wallets bots in the pools of a mint, as members of a swarm, from a slot on. */
export function markSwarm(
  { books, walletBooks }: MarkedBooks,
  mint: Address,
  { members, others, users }: Swarm,
  sinceSlot: Slot,
): void {
  const { ids, tokenBots } = walletBooks;
  const verdict = { sinceSlot, wallets: members.length, others, users };
  for (const member of members) {
    tokenBots.setSwarm(ids.idOf(mint), member, verdict);
    refreshPools({ books, walletBooks }, { mint, wallet: ids.addressOf(member) });
  }
}

/** Passes to all pools of a mint whether a wallet is a bot in it. */
export function refreshPools(
  { books, walletBooks }: MarkedBooks,
  { mint, wallet }: TokenWallet,
): void {
  const { ids, tokenBots, poolWallets } = walletBooks;
  const isBot = tokenBots.has(ids.idOf(mint), ids.idOf(wallet));
  for (const { pool } of books.pools.ofMint(mint)) poolWallets.setTokenBot(pool, wallet, isBot);
}

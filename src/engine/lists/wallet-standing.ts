import { ADDRESS_REGISTRY } from '../../model/address-registry.ts';
import type { WalletLabel, WalletStanding } from '../../model/token-wallets.ts';
import type { Address } from '../../model/units.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import type { Books } from '../books/books.ts';
import { insidersOf } from '../books/insiders.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import { judgementsIn } from '../wallets/token-judgements.ts';
import { walletPositionOf } from '../wallets/wallet-record-of.ts';

/** Returns a reader of wallets in a mint, valid until the next slot. */
export function standingsIn(
  books: Books,
  walletBooks: WalletBooks,
  mint: Address,
): (wallet: Address) => WalletStanding {
  const { ids, wallets, smart, follows, funding, positions, tokenBots } = walletBooks;
  const creator = books.tokens.get(mint)?.creator ?? null;
  const isInsider = insidersOf({ books, walletBooks }, mint);
  const labelsOf = (wallet: Address): WalletLabel[] => [
    ...(wallet === creator ? (['creator'] as const) : []),
    // An exchange that paid the creator is no insider.
    ...(wallet !== creator && !isPublic(wallet) && isInsider(wallet) ? (['insider'] as const) : []),
    ...(smart.verdict(wallet)?.isSmart === true ? (['smart'] as const) : []),
    ...(follows.isCopied(mint, wallet) ? (['copied'] as const) : []),
  ];
  const mintId = ids.find(mint);
  const classOf = (id: number): WalletClass | null => {
    if (id !== -1 && tokenBots.find(mintId, id) !== null) return 'bot';
    return id === -1 ? null : (wallets.verdict(id)?.class ?? null);
  };
  return (wallet) => {
    const id = ids.find(wallet);
    const position = positions.get(mint, wallet);
    return {
      walletClass: classOf(id),
      judgements: judgementsIn(books, walletBooks, mint, wallet),
      labels: labelsOf(wallet),
      cluster: funding.clusterOf(wallet),
      position: position === null ? null : walletPositionOf(books, position),
    };
  };
}

function isPublic(address: Address): boolean {
  return ADDRESS_REGISTRY.classOf(address) !== null;
}

import type { Address, Slot } from '../../model/units.ts';
import type { Books } from '../books/books.ts';
import type { WalletBooks } from '../books/wallet-books.ts';
import { refreshPools } from '../wallets/token-bot-marks.ts';
import type { FraudWatch } from './fraud-watch.ts';

/** The books that coordination is read from and marked in. */
export interface CoordinationBooks {
  readonly books: Books;
  readonly walletBooks: WalletBooks;
  readonly fraud: FraudWatch;
}

/**
 * Makes the leaders of a mint's findings bots in its pools from `slot` on, and ends that for those
 * whom no finding names any more (METHODS §13.1). To be called with the mints whose findings changed
 * in the slot.
 */
export function markCoordination(
  { books, walletBooks, fraud }: CoordinationBooks,
  mints: Iterable<Address>,
  slot: Slot,
): void {
  const { ids, tokenBots } = walletBooks;
  for (const mint of new Set(mints)) {
    const leaders = fraud.leadersOf(mint);
    const mintId = ids.idOf(mint);
    for (const id of tokenBots.coordinatedIn(mintId)) {
      const wallet = ids.addressOf(id);
      if (leaders.has(wallet)) continue;
      tokenBots.setCoordination(mintId, id, null);
      refreshPools({ books, walletBooks }, { mint, wallet });
    }
    for (const [wallet, leading] of leaders) {
      tokenBots.setCoordination(mintId, ids.idOf(wallet), { ...leading, sinceSlot: slot });
      refreshPools({ books, walletBooks }, { mint, wallet });
    }
  }
}

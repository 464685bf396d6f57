import type { TokenBot } from '../../fold/wallets/token-bots/token-bots.ts';
import type { WalletLinks } from '../../model/finding-graph.ts';
import type { TraderPage, TraderPageQuery, WalletStanding } from '../../model/token-wallets.ts';
import type { Address } from '../../model/units.ts';
import type { PositionPage, PositionPageQuery, WalletLink } from '../../model/wallet-lists.ts';
import type { CaseSources } from '../cases/case-sources.ts';
import { positionPageOf } from './position-pages.ts';
import { recordedLinksOf } from './recorded-links.ts';
import { topTradersOf } from './top-traders.ts';
import { walletLinksOf } from './wallet-links.ts';
import { standingsIn } from './wallet-standing.ts';

/** Pools returned for one mint, beside its primary one. */
const POOLS_MAX = 8;

type Sources = Pick<CaseSources, 'books' | 'walletBooks' | 'cases'>;

/** Lists about wallets and the wallets of a mint, read from the books of an engine. */
export class WalletReads {
  private readonly sources: Sources;

  constructor(sources: Sources) {
    this.sources = sources;
  }

  /** A page of the traders of a mint by profit. Throws ApiError 422 for a mint with too many. */
  topTraders(query: TraderPageQuery): TraderPage {
    const { books, walletBooks } = this.sources;
    return topTradersOf(books, walletBooks, query);
  }

  /** What is known about wallets in a mint, in their order. */
  standings(mint: Address, wallets: readonly Address[]): WalletStanding[] {
    const { books, walletBooks } = this.sources;
    return wallets.map(standingsIn(books, walletBooks, mint));
  }

  /** What makes a wallet a bot in the pools of a mint only; null if nothing does. */
  tokenBot(mint: Address, wallet: Address): TokenBot | null {
    const { ids, tokenBots } = this.sources.walletBooks;
    return tokenBots.find(ids.find(mint), ids.find(wallet));
  }

  /** Pools of a mint: those seen first, up to a maximum, and the one that prices it. */
  poolsOf(mint: Address): Address[] {
    const { tokens, pools } = this.sources.books;
    const first = pools.ofMint(mint).slice(0, POOLS_MAX);
    const primary = tokens.get(mint)?.primaryPool ?? null;
    return [...new Set([...first.map(({ pool }) => pool), ...(primary === null ? [] : [primary])])];
  }

  /** A page of the positions of a wallet, newest first. */
  positions(query: PositionPageQuery): PositionPage {
    return positionPageOf(this.sources.books, this.sources.walletBooks, query);
  }

  /** The wallets that its records link to a wallet, in any order. */
  recordedLinks(wallet: Address): WalletLink[] {
    return recordedLinksOf(this.sources, wallet);
  }

  /** The recorded transactions that link some wallets in a mint. */
  links(mint: Address, wallets: ReadonlySet<Address>): WalletLinks {
    return walletLinksOf(this.sources, mint, wallets);
  }
}

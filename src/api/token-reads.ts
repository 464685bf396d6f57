import type { Awaitable } from '../lib/awaitable.ts';
import type { AsOf } from '../model/as-of.ts';
import type { HolderBalance } from '../model/derived.ts';
import type { FirstBuyerPage, FirstBuyerQuery } from '../model/first-buyers.ts';
import type { HolderCount, HolderCountQuery } from '../model/holder-counts.ts';
import type { HolderPage, HolderPageQuery } from '../model/holder-page.ts';
import type { TokenListPage, TokenListQuery } from '../model/market-listing.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { TraderPage, TraderPageQuery } from '../model/token-wallets.ts';
import type { Address } from '../model/units.ts';

/** Tokens, and the wallets that hold and trade them. */
export interface TokenReads {
  find(mint: Address): Awaitable<TokenRecord | null>;
  /**
   * The token with its largest owners, largest first, at most HOLDERS_MAX. Both are as of the same
   * slot.
   */
  withHolders(mint: Address): Awaitable<TokenHolders | null>;
  /** One page of holders after a cursor. */
  holderPage(query: HolderPageQuery): Promise<AsOf<TokenHolderPage | null>>;
  /** One page of traders by profit; null for an unknown token. */
  topTraders(
    query: TraderPageQuery,
  ): Promise<AsOf<{ readonly token: TokenRecord; readonly page: TraderPage } | null>>;
  /** Wallets in the order of their first purchase; null for an unknown token. */
  firstBuyers(query: FirstBuyerQuery): Promise<AsOf<FirstBuyerPage | null>>;
  /** Number of holders by time, oldest first; buckets without a trade are omitted. */
  holderCounts(query: HolderCountQuery): Promise<AsOf<readonly HolderCount[]>>;
  /** Throws ApiError 503 for figures that are not read from the store yet. */
  search(query: TokenListQuery): Promise<AsOf<TokenListPage>>;
}

export interface TokenHolders {
  readonly token: TokenRecord;
  readonly holders: readonly HolderBalance[];
}

export interface TokenHolderPage {
  readonly token: TokenRecord;
  readonly page: HolderPage;
}

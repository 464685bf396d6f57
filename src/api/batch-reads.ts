import type { Awaitable } from '../lib/awaitable.ts';
import type { AsOf } from '../model/as-of.ts';
import type { JudgedClassification } from '../model/fraud-review.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { PoolDetail } from '../model/market-listing.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address } from '../model/units.ts';
import type { WalletRecord } from '../model/wallet-record.ts';
import type { TokenHolders } from './token-reads.ts';

/**
 * Reads of several addresses. The results are in the order of the addresses and all as of the same
 * slot: the `chain.freshness` of the moment, unless they say what they are as of. Null means that an
 * address is unknown.
 */
export interface BatchReads {
  tokenRecords(mints: readonly Address[]): Awaitable<readonly (TokenRecord | null)[]>;
  pricedTokens(mints: readonly Address[]): Awaitable<readonly (PricedToken | null)[]>;
  tokens(mints: readonly Address[]): Awaitable<readonly (TokenHolders | null)[]>;
  /** Windows are null until they are read from the store. */
  pools(pools: readonly Address[]): Promise<AsOf<readonly (PoolDetail | null)[]>>;
  indicators(pools: readonly Address[]): Awaitable<readonly (PoolIndicators | null)[]>;
  wallets(addresses: readonly Address[]): Promise<AsOf<readonly (WalletRecord | null)[]>>;
  /** The fraud checks of mints, whether or not these are known. */
  fraudChecks(
    mints: readonly Address[],
  ): Promise<AsOf<readonly (readonly JudgedClassification[])[]>>;
}

export interface PricedToken {
  readonly token: TokenRecord;
  /** The primary pool; null for a token without a pool. */
  readonly pool: PoolRecord | null;
}

export interface PoolIndicators {
  readonly pool: PoolRecord;
  readonly indicators: IndicatorRecord;
}

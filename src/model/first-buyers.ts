import type { TokenRecord } from './token-record.ts';
import type { WalletStanding } from './token-wallets.ts';
import type { TradedSwap } from './trade.ts';
import type { Address } from './units.ts';

/** Number of first buyers that are listed for each token. */
export const FIRST_BUYERS_MAX = 5_000;

export interface FirstBuyerQuery {
  readonly mint: Address;
  /** Buyers up to this rank are left out; 0 for none. Ranks only change with a fork. */
  readonly afterRank: number;
  readonly limit: number;
}

/** The first purchase of a wallet in a token. */
export interface FirstBuy {
  /** 1 for the first wallet that bought. */
  readonly rank: number;
  readonly wallet: Address;
  readonly swap: TradedSwap;
}

export interface FirstBuyPage {
  readonly buys: readonly FirstBuy[];
  /** Rank of the last buyer; null on the last page. */
  readonly next: number | null;
}

export interface FirstBuyer extends FirstBuy {
  readonly standing: WalletStanding;
}

/** A page of first buyers and their token. */
export interface FirstBuyerPage {
  readonly token: TokenRecord;
  readonly buyers: readonly FirstBuyer[];
  /** Rank of the last buyer; null on the last page. */
  readonly next: number | null;
}

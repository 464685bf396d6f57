import type { IndicatorRecord } from './indicators.ts';
import type { TokenRecord } from './token-record.ts';
import type { Slot, UsdNano } from './units.ts';

/** Sort orders of tokens. Figures are those of a token's primary pool. */
export const TOKEN_ORDERS = [
  'newest',
  'volume_24h_usd',
  'price_change_24h',
  'total_wallets',
  'organic_wallets',
  'organic_volume_usd',
  'smart_money_score',
  'smart_holders',
  'raw_holders',
] as const;

export type TokenOrder = (typeof TOKEN_ORDERS)[number];

export interface TokenQuery {
  /**
   * Substring of a name or symbol (case-insensitive), or prefix of an address; null for all tokens.
   */
  readonly search: string | null;
  readonly orderBy: TokenOrder;
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** End of the 24 hours. */
  readonly nowMs: number;
}

export interface TokenListing {
  readonly token: TokenRecord;
  /** Sum over all pools; null when less than 0.9 of the volume has a known USD value. */
  readonly volume24hUsd: UsdNano | null;
  /**
   * Change from the first to the last price of the 24 hours, as a fraction of the first; four
   * decimals.
   */
  readonly priceChange24h: number | null;
  /** Figures of the primary pool at the end of the last minute in which it was traded. */
  readonly indicators: IndicatorRecord | null;
}

export interface TokenPage {
  readonly items: readonly TokenListing[];
  readonly total: number;
  /** The slot as of which the listing is valid; null before the first slot. */
  readonly slot: Slot | null;
}

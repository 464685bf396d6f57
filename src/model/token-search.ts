import type { TokenRecord } from './derived.ts';
import type { IndicatorRecord } from './indicators.ts';
import type { Slot, UsdNano } from './units.ts';

/** What tokens can be put in order by. Figures are those of a token's primary pool. */
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
  /** Part of a name or a symbol, in any case, or the beginning of an address; null for all tokens. */
  readonly search: string | null;
  readonly orderBy: TokenOrder;
  readonly orderDir: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** The 24 hours end here. */
  readonly nowMs: number;
}

export interface TokenListing {
  readonly token: TokenRecord;
  /** Over all pools; null where less than 0.9 of the volume has a known USD value. */
  readonly volume24hUsd: UsdNano | null;
  /** From the first price of the 24 hours to the last, as a part of the first; four decimals. */
  readonly priceChange24h: number | null;
  /** Of the primary pool at the end of the last minute in which it was traded. */
  readonly indicators: IndicatorRecord | null;
}

export interface TokenPage {
  readonly items: readonly TokenListing[];
  readonly total: number;
  /** What is listed was true as of this slot; null before the first. */
  readonly slot: Slot | null;
}

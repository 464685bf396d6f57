import type { IndicatorRecord } from './indicators.ts';
import type { FiguresByWindow, MarketWindow } from './market-window.ts';
import type { WiderFigures } from './pool-figures.ts';
import type { PoolRecord } from './pool-record.ts';
import type { Venue } from './program.ts';
import type { TokenRecord } from './token-record.ts';
import type { Address, UsdNano } from './units.ts';

type OfWindow<Name extends 'volume' | 'organic_volume'> = `${Name}_${MarketWindow}_usd`;
type ChangeOfWindow = `price_change_${MarketWindow}`;

/** Figures of trades by window, by the names the wire uses; the order is that of the windows. */
export const VOLUME_FIGURES = [
  'volume_5m_usd',
  'volume_1h_usd',
  'volume_6h_usd',
  'volume_24h_usd',
] as const satisfies readonly OfWindow<'volume'>[];
export const ORGANIC_VOLUME_FIGURES = [
  'organic_volume_5m_usd',
  'organic_volume_1h_usd',
  'organic_volume_6h_usd',
  'organic_volume_24h_usd',
] as const satisfies readonly OfWindow<'organic_volume'>[];
export const PRICE_CHANGE_FIGURES = [
  'price_change_5m',
  'price_change_1h',
  'price_change_6h',
  'price_change_24h',
] as const satisfies readonly ChangeOfWindow[];

/** Figures of windows, which are unknown until the windows are read from the store. */
export const WINDOW_FIGURES = [
  ...VOLUME_FIGURES,
  ...ORGANIC_VOLUME_FIGURES,
  ...PRICE_CHANGE_FIGURES,
] as const;

/** What pools are ordered by. `newest` is the time of the first trade seen. */
export const POOL_FIGURES = [
  'newest',
  'liquidity_usd',
  'marketcap_usd',
  ...WINDOW_FIGURES,
] as const;

export type PoolFigure = (typeof POOL_FIGURES)[number];

/** Amounts in dollars that tokens can be filtered by. */
export const TOKEN_USD_RANGES = [
  'marketcap_usd',
  'liquidity_usd',
  ...VOLUME_FIGURES,
  ...ORGANIC_VOLUME_FIGURES,
] as const;

/** What tokens are ordered by. `newest` is the time of creation. */
export const TOKEN_FIGURES = [
  'newest',
  ...TOKEN_USD_RANGES,
  ...PRICE_CHANGE_FIGURES,
  'total_wallets',
  'organic_wallets',
  'organic_volume_usd',
  'organic_to_total_wallets_ratio',
  'smart_money_score',
  'smart_holders',
  'raw_holders',
  'risk_score',
  'trending',
] as const;

export type TokenFigure = (typeof TOKEN_FIGURES)[number];

/** Tokens that are listed only on request. */
export const INCLUDED_TOKENS = ['base_assets', 'lp_mints', 'nameless'] as const;

export type IncludedTokens = (typeof INCLUDED_TOKENS)[number];

export type OrderDir = 'asc' | 'desc';

/** A position in an ordered list: the figure, null if it is unknown, and the address. */
export interface ListPosition {
  readonly value: number | null;
  readonly address: Address;
}

/** Both limits are included; null for none. In the unit of the figure, dollars in nano. */
export interface RangeFilter<Figure> {
  readonly figure: Figure;
  readonly min: number | null;
  readonly max: number | null;
}

interface ListQuery<Figure> {
  readonly orderBy: Figure;
  readonly orderDir: OrderDir;
  /** Only what comes after this position; null for all. */
  readonly after: ListPosition | null;
  readonly limit: number;
}

/** Null means any. */
export interface TokenListQuery extends ListQuery<TokenFigure> {
  readonly offset: number;
  readonly ranges: readonly RangeFilter<TokenFigure>[];
  readonly ageSecondsMin: number | null;
  readonly ageSecondsMax: number | null;
  /** Venue of the primary pool. */
  readonly venue: Venue | null;
  /** Venue of the bonding curve that the token was launched on. */
  readonly launchpad: Venue | null;
  readonly creator: Address | null;
  /** Part of a name or symbol in any case, or the beginning of an address. */
  readonly search: string | null;
  readonly include: readonly IncludedTokens[];
}

/** Any token that is listed without asking. */
export const NO_TOKEN_FILTER = {
  ranges: [],
  ageSecondsMin: null,
  ageSecondsMax: null,
  venue: null,
  launchpad: null,
  creator: null,
  search: null,
  include: [],
  after: null,
  offset: 0,
} as const satisfies Partial<TokenListQuery>;

export interface PoolListQuery extends ListQuery<PoolFigure> {
  readonly mint: Address | null;
  readonly venue: Venue | null;
}

/** Figures of the primary pool at the end of the last minute in which it was traded. */
export type ListedIndicators = Pick<
  IndicatorRecord,
  | 'baseMint'
  | 'totalWallets'
  | 'organicWallets'
  | 'organicVolumeUsd'
  | 'organicToTotalWalletsRatio'
  | 'smartMoneyScore'
  | 'smartHolders'
  | 'rawHolders'
>;

export interface TokenListing {
  readonly token: TokenRecord;
  readonly indicators: ListedIndicators | null;
  /** Null while the windows are read from the store; `volume24hUsd` and the change are known. */
  readonly windows: FiguresByWindow | null;
  readonly volume24hUsd: UsdNano | null;
  readonly priceChange24h: number | null;
  readonly marketCapUsd: UsdNano | null;
  /** Of the primary pool, as is the venue. */
  readonly liquidityUsd: UsdNano | null;
  readonly venue: Venue | null;
  readonly launchpad: Venue | null;
  /** 0 to 100; null while it is unknown. */
  readonly riskScore: number | null;
  readonly trending: number | null;
}

export interface ListedPage<Item> {
  readonly items: readonly Item[];
  /** Number of items across all pages. */
  readonly total: number;
  /** Null on the last page. */
  readonly next: ListPosition | null;
  /** False while what the windows are made of is still read from the store. */
  readonly isComplete: boolean;
}

export type TokenListPage = ListedPage<TokenListing>;

export interface PoolListing {
  readonly pool: PoolRecord;
  /** Null while the windows are read from the store. */
  readonly windows: FiguresByWindow | null;
  readonly marketCapUsd: UsdNano | null;
  /** Whether it gives its token the price. */
  readonly isPrimary: boolean;
}

/** A pool with all figures that triggers compare. */
export interface PoolDetail extends PoolListing {
  readonly wider: WiderFigures;
}

export type PoolListPage = ListedPage<PoolListing>;

import { AddressIds } from '../lib/address-ids.ts';
import { circulatingValue } from '../model/market-cap.ts';
import {
  type IncludedTokens,
  type ListedIndicators,
  TOKEN_FIGURES,
  type TokenFigure,
  type TokenListQuery,
} from '../model/market-listing.ts';
import type { FiguresByWindow } from '../model/market-window.ts';
import type { Venue } from '../model/program.ts';
import { isQuoteMint } from '../model/quote-mints.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address, PriceE18, UsdNano } from '../model/units.ts';
import { FigureColumns, type SelectedRows } from './figure-columns.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { NO_FIGURES } from './read-figures.ts';
import { type Supply, TokenFacts } from './token-facts.ts';
import { trendingOf } from './trending.ts';
import { VenueColumn } from './venue-column.ts';
import { setWindowFigures, UNTRADED_FIGURES } from './window-figures.ts';

const SECOND_MS = 1_000;

/** What a token has from its pools. */
export interface TokenPools {
  /** Of the primary pool. */
  readonly venue: Venue | null;
  readonly liquidityUsd: number | null;
  readonly launchpad: Venue | null;
}

const NO_POOLS: TokenPools = { venue: null, liquidityUsd: null, launchpad: null };
const INDICATOR_FIGURES = {
  total_wallets: 'totalWallets',
  organic_wallets: 'organicWallets',
  organic_volume_usd: 'organicVolumeUsd',
  organic_to_total_wallets_ratio: 'organicToTotalWalletsRatio',
  smart_money_score: 'smartMoneyScore',
} as const satisfies Partial<Record<TokenFigure, keyof ListedIndicators>>;

/**
 * All tokens with what they are listed by: numbers in columns, with no object for each, since a month
 * of mainnet has 630,000 launches. Figures of windows take memory while a token has trades in them.
 */
export class TokenList {
  readonly columns: FigureColumns<TokenFigure | 'buyers_1h'>;
  private readonly ids: AddressIds<Address>;
  private readonly facts: TokenFacts;
  private readonly venues = new VenueColumn();
  private readonly launchpads = new VenueColumn();
  /** By row, 1 for base assets; by id of an address, 1 for LP tokens. */
  private readonly baseAssets = new GrowingNumbers('u8');
  private readonly lpMints = new GrowingNumbers('u8');
  private readonly newSupplies = new Set<Address>();

  /** `ids`: numbers of addresses, which other lists may share. */
  constructor(ids: AddressIds<Address> = new AddressIds()) {
    this.ids = ids;
    this.facts = new TokenFacts(ids);
    this.columns = new FigureColumns([...TOKEN_FIGURES, 'buyers_1h'] as const, {
      passing: { ...UNTRADED_FIGURES, buyers_1h: 0, trending: Number.NaN },
      ids,
    });
  }

  /** Bytes of all that it has, without those of addresses; approximate as to names. */
  get allocatedBytes(): number {
    const { columns, facts, venues, launchpads, baseAssets, lpMints } = this;
    const parts = [columns, facts, venues, launchpads, baseAssets, lpMints];
    return parts.reduce((sum, part) => sum + part.allocatedBytes, 0);
  }

  /** Adds a token or its newer record. */
  put(token: TokenRecord): void {
    const { mint, priceUsd, createdAtMs } = token;
    const isNew = this.columns.find(mint) === -1;
    const row = this.columns.ensure(mint);
    if (isNew) {
      this.venues.set(row, null);
      this.launchpads.set(row, null);
      this.baseAssets.set(row, isQuoteMint(mint) ? 1 : 0);
    }
    if (isNew || !isSameSupply(this.facts.supplyOf(row), token)) this.newSupplies.add(mint);
    this.facts.put(row, token);
    this.columns.set(row, 'newest', createdAtMs);
    this.columns.set(row, 'marketcap_usd', circulatingValue(token, priceUsd));
  }

  /** Whether the supply of a token has changed since the last call. */
  takeSupplyChange(mint: Address): boolean {
    return this.newSupplies.delete(mint);
  }

  /** The circulating supply at a price; null while one of them is unknown. */
  valueOf(mint: Address, priceUsd: PriceE18 | null): UsdNano | null {
    const row = this.columns.find(mint);
    return row === -1 ? null : circulatingValue(this.facts.supplyOf(row), priceUsd);
  }

  remove(mint: Address): void {
    this.columns.remove(mint);
  }

  /** Null for a token without one, and for an unknown token. */
  primaryPoolOf(mint: Address): Address | null {
    const row = this.columns.find(mint);
    return row === -1 ? null : this.facts.primaryPoolOf(row);
  }

  poolsOf(mint: Address): TokenPools {
    const row = this.columns.find(mint);
    if (row === -1) return NO_POOLS;
    return {
      venue: this.venues.get(row),
      liquidityUsd: this.columns.get(row, 'liquidity_usd'),
      launchpad: this.launchpads.get(row),
    };
  }

  /** Marks the LP token of a pool; whether it is known as a token does not matter. */
  putLpMint(mint: Address): void {
    this.lpMints.set(this.ids.idOf(mint), 1);
  }

  /** Does nothing for an unknown token, as the other setters. */
  setPools(mint: Address, pools: TokenPools): void {
    const row = this.columns.find(mint);
    if (row === -1) return;
    this.venues.set(row, pools.venue);
    this.launchpads.set(row, pools.launchpad);
    this.columns.set(row, 'liquidity_usd', pools.liquidityUsd);
  }

  setIndicators(mint: Address, indicators: ListedIndicators | null): void {
    const row = this.columns.find(mint);
    if (row === -1) return;
    for (const [figure, name] of INDICATOR_ENTRIES) {
      this.columns.set(row, figure, indicators === null ? null : indicators[name]);
    }
    const hasHolders = indicators !== null && !isQuoteMint(mint);
    this.columns.set(row, 'smart_holders', hasHolders ? indicators.smartHolders : null);
    this.columns.set(row, 'raw_holders', hasHolders ? indicators.rawHolders : null);
    if (indicators?.totalWallets === 0) {
      this.columns.set(row, 'organic_to_total_wallets_ratio', null);
    }
  }

  setRisk(mint: Address, score: number): void {
    const row = this.columns.find(mint);
    if (row !== -1) this.columns.set(row, 'risk_score', score);
  }

  setWindows(mint: Address, windows: FiguresByWindow): void {
    const row = this.columns.find(mint);
    if (row === -1) return;
    if (windows === NO_FIGURES) {
      this.columns.resetPassing(row);
      return;
    }
    setWindowFigures(this.columns, row, windows);
    this.columns.set(row, 'buyers_1h', windows['1h'].buyers);
  }

  /** Growth over the own past at a time; null while it is unknown. */
  trendingOf(mint: Address, nowMs: number): number | null {
    const row = this.columns.find(mint);
    return row === -1 ? null : this.trendingAt(row, nowMs);
  }

  /** `nowMs`: the time by which ages are meant. */
  select(query: TokenListQuery, nowMs: number): SelectedRows {
    const { ageSecondsMin, ageSecondsMax, orderBy } = query;
    if (orderBy === 'trending') this.setTrending(nowMs);
    const hasAge = ageSecondsMin !== null || ageSecondsMax !== null;
    const age = {
      figure: 'newest' as const,
      min: ageSecondsMax === null ? null : nowMs - ageSecondsMax * SECOND_MS,
      max: ageSecondsMin === null ? null : nowMs - ageSecondsMin * SECOND_MS,
    };
    return this.columns.select({
      ...query,
      ranges: hasAge ? [...query.ranges, age] : query.ranges,
      matches: this.matcher(query),
    });
  }

  /** It changes with time alone, so it is computed when it is asked for. */
  private setTrending(nowMs: number): void {
    for (let row = 0; row < this.columns.end; row++) {
      // Nobody bought the others in the last hour: their trend is unknown at any time.
      if (!this.columns.hasPassing(row)) continue;
      this.columns.set(row, 'trending', this.trendingAt(row, nowMs));
    }
  }

  private trendingAt(row: number, nowMs: number): number | null {
    const { columns } = this;
    return trendingOf({
      hourNano: columns.get(row, 'organic_volume_1h_usd'),
      dayNano: columns.get(row, 'organic_volume_24h_usd'),
      buyers: columns.get(row, 'buyers_1h') ?? 0,
      createdAtMs: columns.get(row, 'newest'),
      nowMs,
    });
  }

  private matcher({
    venue,
    launchpad,
    creator,
    search,
    include,
  }: TokenListQuery): (row: number) => boolean {
    const included = new Set<IncludedTokens>(include);
    const isFound = search === null ? () => true : this.finderOf(search);
    const isOfCreator = creator === null ? () => true : this.facts.matcherOf(creator);
    const isOf = (wanted: Venue | null, venues: VenueColumn, row: number) =>
      wanted === null || wanted === venues.get(row);
    return (row) =>
      isOfCreator(row) &&
      isOf(venue, this.venues, row) &&
      isOf(launchpad, this.launchpads, row) &&
      isFound(row) &&
      this.isIncluded(row, included);
  }

  /** A search for a part of a name or symbol in any case, or for the beginning of an address. */
  private finderOf(search: string): (row: number) => boolean {
    const text = search.toLowerCase();
    const isAddress = this.columns.beginsWith(search);
    return (row) => this.facts.hasText(row, text) || isAddress(row);
  }

  private isIncluded(row: number, included: ReadonlySet<IncludedTokens>): boolean {
    if (this.baseAssets.get(row) === 1) return included.has('base_assets');
    if (this.lpMints.get(this.columns.idAt(row)) === 1) return included.has('lp_mints');
    return included.has('nameless') || !this.facts.isNameless(row);
  }
}

const INDICATOR_ENTRIES = Object.entries(INDICATOR_FIGURES) as [
  keyof typeof INDICATOR_FIGURES,
  (typeof INDICATOR_FIGURES)[keyof typeof INDICATOR_FIGURES],
][];

function isSameSupply(one: Supply, other: Supply): boolean {
  const { supplyRaw, burnedRaw, decimals } = other;
  return one.supplyRaw === supplyRaw && one.burnedRaw === burnedRaw && one.decimals === decimals;
}

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
import { trendingOf } from './trending.ts';
import { setWindowFigures } from './window-figures.ts';

const SECOND_MS = 1_000;

type Supply = Pick<TokenRecord, 'supplyRaw' | 'burnedRaw' | 'decimals'>;

/** What a token is filtered by, beside its figures. */
interface TokenFacts {
  readonly creator: Address | null;
  readonly primaryPool: Address | null;
  readonly supply: Supply;
  /** Name and symbol in lower case, for searches. */
  readonly name: string;
  readonly symbol: string;
}

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

/** All tokens with what they are listed by. */
export class TokenList {
  readonly columns = new FigureColumns<TokenFigure | 'buyers_1h'>([...TOKEN_FIGURES, 'buyers_1h']);
  private readonly facts: TokenFacts[] = [];
  private readonly pools: TokenPools[] = [];
  private readonly lpMints = new Set<Address>();
  private readonly newSupplies = new Set<Address>();

  /** Adds a token or its newer record. */
  put(token: TokenRecord): void {
    const { mint, creator, primaryPool, name, symbol, supplyRaw, burnedRaw, decimals } = token;
    const isNew = this.columns.find(mint) === -1;
    const row = this.columns.ensure(mint);
    if (isNew) this.pools[row] = NO_POOLS;
    const before = isNew ? undefined : this.facts[row]?.supply;
    if (!isSameSupply(before, token)) this.newSupplies.add(mint);
    this.facts[row] = {
      creator,
      primaryPool,
      supply: { supplyRaw, burnedRaw, decimals },
      name: (name ?? '').toLowerCase(),
      symbol: (symbol ?? '').toLowerCase(),
    };
    this.columns.set(row, 'newest', token.createdAtMs);
    this.columns.set(row, 'marketcap_usd', circulatingValue(token, token.priceUsd));
  }

  /** Whether the supply of a token has changed since the last call. */
  takeSupplyChange(mint: Address): boolean {
    return this.newSupplies.delete(mint);
  }

  /** The circulating supply at a price; null while one of them is unknown. */
  valueOf(mint: Address, priceUsd: PriceE18 | null): UsdNano | null {
    const supply = this.facts[this.columns.find(mint)]?.supply;
    return supply === undefined ? null : circulatingValue(supply, priceUsd);
  }

  remove(mint: Address): void {
    this.columns.remove(mint);
  }

  /** Null for a token without one, and for an unknown token. */
  primaryPoolOf(mint: Address): Address | null {
    const row = this.columns.find(mint);
    return row === -1 ? null : (this.facts[row]?.primaryPool ?? null);
  }

  poolsOf(mint: Address): TokenPools {
    return this.pools[this.columns.find(mint)] ?? NO_POOLS;
  }

  /** Marks the LP token of a pool; whether it is known as a token does not matter. */
  putLpMint(mint: Address): void {
    this.lpMints.add(mint);
  }

  /** Does nothing for an unknown token, as the other setters. */
  setPools(mint: Address, pools: TokenPools): void {
    const row = this.columns.find(mint);
    if (row === -1) return;
    this.pools[row] = pools;
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
    for (let row = 0; row < this.facts.length; row++) {
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
    const isFound = search === null ? () => true : finderOf(search);
    const isOf = (wanted: string | null, value: string | null | undefined) =>
      wanted === null || wanted === value;
    return (row) => {
      const facts = this.facts[row];
      const pools = this.pools[row];
      if (!isOf(creator, facts?.creator) || !isOf(venue, pools?.venue)) return false;
      if (facts === undefined || !isOf(launchpad, pools?.launchpad)) return false;
      const mint = this.columns.addressOf(row);
      return isFound(mint, facts) && this.isIncluded(mint, facts, included);
    };
  }

  private isIncluded(
    mint: Address,
    { name, symbol }: TokenFacts,
    included: ReadonlySet<IncludedTokens>,
  ): boolean {
    if (isQuoteMint(mint)) return included.has('base_assets');
    if (this.lpMints.has(mint)) return included.has('lp_mints');
    return name !== '' || symbol !== '' || included.has('nameless');
  }
}

const INDICATOR_ENTRIES = Object.entries(INDICATOR_FIGURES) as [
  keyof typeof INDICATOR_FIGURES,
  (typeof INDICATOR_FIGURES)[keyof typeof INDICATOR_FIGURES],
][];

/** A search for a part of a name or symbol in any case, or for the beginning of an address. */
function finderOf(search: string): (mint: Address, facts: TokenFacts) => boolean {
  const text = search.toLowerCase();
  return (mint, { name, symbol }) =>
    name.includes(text) || symbol.includes(text) || mint.startsWith(search);
}

function isSameSupply(one: Supply | undefined, other: Supply): boolean {
  if (one === undefined) return false;
  const { supplyRaw, burnedRaw, decimals } = other;
  return one.supplyRaw === supplyRaw && one.burnedRaw === burnedRaw && one.decimals === decimals;
}

import { POOL_FIGURES, type PoolFigure, type PoolListQuery } from '../model/market-listing.ts';
import type { FiguresByWindow } from '../model/market-window.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { Venue } from '../model/program.ts';
import type { Address, PriceE18, UsdNano } from '../model/units.ts';
import { isCurveVenue } from '../model/venue-kinds.ts';
import { FigureColumns, type SelectedRows } from './figure-columns.ts';
import { setWindowFigures } from './window-figures.ts';

/** What a pool is filtered by, beside its figures. */
interface PoolFacts {
  readonly mint: Address;
  readonly venue: Venue;
  readonly priceUsd: PriceE18 | null;
}

/** All pools with what they are listed by. */
export class PoolList {
  readonly columns = new FigureColumns<PoolFigure>(POOL_FIGURES);
  private readonly facts: PoolFacts[] = [];
  private readonly poolsOf = new Map<Address, Address[]>();
  private readonly launchpads = new Map<Address, Venue>();

  /** Adds a pool or its newer record; its base mint does not change. */
  put({ pool, baseMint: mint, venue, priceUsd, firstSeenMs, liquidityUsd }: PoolRecord): void {
    const isNew = this.columns.find(pool) === -1;
    const row = this.columns.ensure(pool);
    this.facts[row] = { mint, venue, priceUsd };
    this.columns.set(row, 'newest', firstSeenMs);
    this.columns.set(row, 'liquidity_usd', liquidityUsd);
    if (!isNew) return;
    const known = this.poolsOf.get(mint);
    if (known === undefined) this.poolsOf.set(mint, [pool]);
    else known.push(pool);
    this.findLaunchpad(mint);
  }

  /** Does nothing for an unknown pool, as the setters. */
  remove(pool: Address): void {
    const mint = this.mintOf(pool);
    if (mint === null) return;
    const others = (this.poolsOf.get(mint) ?? []).filter((other) => other !== pool);
    if (others.length === 0) this.poolsOf.delete(mint);
    else this.poolsOf.set(mint, others);
    this.columns.remove(pool);
    this.findLaunchpad(mint);
  }

  /** The base mint of a pool; null for an unknown pool. */
  mintOf(pool: Address): Address | null {
    const row = this.columns.find(pool);
    return row === -1 ? null : (this.facts[row]?.mint ?? null);
  }

  venueOf(pool: Address): Venue | null {
    const row = this.columns.find(pool);
    return row === -1 ? null : (this.facts[row]?.venue ?? null);
  }

  priceOf(pool: Address): PriceE18 | null {
    const row = this.columns.find(pool);
    return row === -1 ? null : (this.facts[row]?.priceUsd ?? null);
  }

  liquidityOf(pool: Address): number | null {
    const row = this.columns.find(pool);
    return row === -1 ? null : this.columns.get(row, 'liquidity_usd');
  }

  /**
   * The venue of the bonding curve that a token was launched on: of its first curve; null without
   * one.
   */
  launchpadOf(mint: Address): Venue | null {
    return this.launchpads.get(mint) ?? null;
  }

  /** The pools of a mint, in no useful order. */
  ofMint(mint: Address): readonly Address[] {
    return this.poolsOf.get(mint) ?? [];
  }

  setMarketCap(pool: Address, marketCapUsd: UsdNano | null): void {
    const row = this.columns.find(pool);
    if (row !== -1) this.columns.set(row, 'marketcap_usd', marketCapUsd);
  }

  setWindows(pool: Address, windows: FiguresByWindow): void {
    const row = this.columns.find(pool);
    if (row !== -1) setWindowFigures(this.columns, row, windows);
  }

  select(query: PoolListQuery): SelectedRows {
    const { mint, venue } = query;
    return this.columns.select({
      ...query,
      ranges: [],
      offset: 0,
      matches: (row) => {
        const facts = this.facts[row];
        if (facts === undefined || (mint !== null && facts.mint !== mint)) return false;
        return venue === null || facts.venue === venue;
      },
    });
  }

  private findLaunchpad(mint: Address): void {
    let first: { readonly pool: Address; readonly seenMs: number } | null = null;
    for (const pool of this.ofMint(mint)) {
      const row = this.columns.find(pool);
      if (!isCurveVenue(this.facts[row]?.venue ?? 'inferred')) continue;
      const seenMs = this.columns.get(row, 'newest') ?? Number.POSITIVE_INFINITY;
      const isFirst =
        first === null || seenMs < first.seenMs || (seenMs === first.seenMs && pool < first.pool);
      if (isFirst) first = { pool, seenMs };
    }
    const venue = first === null ? null : this.venueOf(first.pool);
    if (venue === null) this.launchpads.delete(mint);
    else this.launchpads.set(mint, venue);
  }
}

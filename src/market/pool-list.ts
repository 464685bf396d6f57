import { AddressIds } from '../lib/address-ids.ts';
import { POOL_FIGURES, type PoolFigure, type PoolListQuery } from '../model/market-listing.ts';
import type { FiguresByWindow } from '../model/market-window.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { Venue } from '../model/program.ts';
import { type Address, asPriceE18, type PriceE18, type UsdNano } from '../model/units.ts';
import { isCurveVenue } from '../model/venue-kinds.ts';
import { FigureColumns, type SelectedRows } from './figure-columns.ts';
import { GrowingBigints } from './growing-bigints.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { MintPools } from './mint-pools.ts';
import { NO_FIGURES } from './read-figures.ts';
import { VenueColumn } from './venue-column.ts';
import { setWindowFigures, UNTRADED_FIGURES } from './window-figures.ts';

/** All pools with what they are listed by, in columns as those of TokenList. */
export class PoolList {
  readonly columns: FigureColumns<PoolFigure>;
  private readonly ids: AddressIds<Address>;
  /** By row: the base mint, by its id, the venue and the price. */
  private readonly mints = new GrowingNumbers('u32');
  private readonly venues = new VenueColumn();
  private readonly prices = new GrowingBigints();
  private readonly pools = new MintPools();
  /** By id of a mint. */
  private readonly launchpads = new VenueColumn();

  /** `ids`: numbers of addresses, which other lists may share. */
  constructor(ids: AddressIds<Address> = new AddressIds()) {
    this.ids = ids;
    this.columns = new FigureColumns<PoolFigure>(POOL_FIGURES, { passing: UNTRADED_FIGURES, ids });
  }

  /** Bytes of all that it has, without those of addresses. */
  get allocatedBytes(): number {
    const { columns, mints, venues, prices, pools, launchpads } = this;
    const parts = [columns, mints, venues, prices, pools, launchpads];
    return parts.reduce((sum, part) => sum + part.allocatedBytes, 0);
  }

  /** Adds a pool or its newer record; its base mint does not change. */
  put({ pool, baseMint, venue, priceUsd, firstSeenMs, liquidityUsd }: PoolRecord): void {
    const isNew = this.columns.find(pool) === -1;
    const row = this.columns.ensure(pool);
    this.venues.set(row, venue);
    this.prices.set(row, priceUsd);
    this.columns.set(row, 'newest', firstSeenMs);
    this.columns.set(row, 'liquidity_usd', liquidityUsd);
    if (!isNew) return;
    const mintId = this.ids.idOf(baseMint);
    this.mints.set(row, mintId);
    this.pools.add(mintId, row);
    this.findLaunchpad(mintId);
  }

  /** Does nothing for an unknown pool, as the setters. */
  remove(pool: Address): void {
    const row = this.columns.find(pool);
    if (row === -1) return;
    const mintId = this.mints.get(row);
    this.pools.remove(mintId, row);
    this.columns.remove(pool);
    this.findLaunchpad(mintId);
  }

  /** The base mint of a pool; null for an unknown pool. */
  mintOf(pool: Address): Address | null {
    const row = this.columns.find(pool);
    return row === -1 ? null : this.ids.addressOf(this.mints.get(row));
  }

  venueOf(pool: Address): Venue | null {
    const row = this.columns.find(pool);
    return row === -1 ? null : this.venues.get(row);
  }

  priceOf(pool: Address): PriceE18 | null {
    const row = this.columns.find(pool);
    const price = row === -1 ? null : this.prices.get(row);
    return price === null ? null : asPriceE18(price);
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
    const id = this.ids.find(mint);
    return id === -1 ? null : this.launchpads.get(id);
  }

  /** The pools of a mint, in no useful order. */
  ofMint(mint: Address): readonly Address[] {
    return Array.from(this.pools.of(this.ids.find(mint)), (row) => this.columns.addressOf(row));
  }

  setMarketCap(pool: Address, marketCapUsd: UsdNano | null): void {
    const row = this.columns.find(pool);
    if (row !== -1) this.columns.set(row, 'marketcap_usd', marketCapUsd);
  }

  setWindows(pool: Address, windows: FiguresByWindow): void {
    const row = this.columns.find(pool);
    if (row === -1) return;
    if (windows === NO_FIGURES) this.columns.resetPassing(row);
    else setWindowFigures(this.columns, row, windows);
  }

  select(query: PoolListQuery): SelectedRows {
    const { mint, venue } = query;
    const mintId = mint === null ? null : this.ids.find(mint);
    return this.columns.select({
      ...query,
      ranges: [],
      offset: 0,
      matches: (row) => {
        if (mintId !== null && this.mints.get(row) !== mintId) return false;
        return venue === null || this.venues.get(row) === venue;
      },
    });
  }

  private findLaunchpad(mintId: number): void {
    let first: { readonly row: number; readonly seenMs: number } | null = null;
    for (const row of this.pools.of(mintId)) {
      if (!isCurveVenue(this.venues.get(row) ?? 'inferred')) continue;
      const seenMs = this.columns.get(row, 'newest') ?? Number.POSITIVE_INFINITY;
      const isFirst =
        first === null ||
        seenMs < first.seenMs ||
        (seenMs === first.seenMs &&
          this.columns.addressOf(row) < this.columns.addressOf(first.row));
      if (isFirst) first = { row, seenMs };
    }
    this.launchpads.set(mintId, first === null ? null : this.venues.get(first.row));
  }
}

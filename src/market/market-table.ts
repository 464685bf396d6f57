import { AddressIds } from '../lib/address-ids.ts';
import { PagePool } from '../lib/pages/page-pool.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { ReviewStatus } from '../model/fraud-review.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type { ListedIndicators } from '../model/market-listing.ts';
import type { MarketPortion, RiskFinding, WindowTrade } from '../model/market-rows.ts';
import type { FiguresByWindow } from '../model/market-window.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { TokenRecord } from '../model/token-record.ts';
import type { Address, Slot } from '../model/units.ts';
import { MarketWindows } from './market-windows.ts';
import { NewestIndicators } from './newest-indicators.ts';
import { PoolList } from './pool-list.ts';
import { RiskFindings } from './risk-findings.ts';
import { TokenList } from './token-list.ts';

/** The current records that a table is made of, as of its newest slot. */
export interface MarketRecords {
  token(mint: Address): TokenRecord | null;
  pool(pool: Address): PoolRecord | null;
  /** The mint of a pool's LP token; null for a pool without, or while it is unknown. */
  lpMintOf(pool: Address): Address | null;
}

/** The changes of a slot that a table depends on. */
export type MarketChanges = Pick<
  SlotChanges,
  'slot' | 'timeMs' | 'swaps' | 'tokens' | 'pools' | 'candles' | 'indicators' | 'classifications'
>;

/** A slot that can be reverted, and the pools and mints whose figures it changed. */
interface AppliedSlot {
  readonly slot: Slot;
  readonly touched: ReadonlySet<Address>;
}

/** What a table has in memory. */
export type MarketPart = 'addresses' | 'tokens' | 'pools' | 'windows' | 'indicators' | 'findings';

/** More than a chain can revert; older ones are forgotten first. */
const APPLIED_MAX = 1_024;
/** Pages that leave memory at a time, unless more came. */
const TRIMMED_MAX = 1_024;

/**
 * Pools and tokens with what lists show, filter and order by, as of the newest slot: their windows,
 * the newest records, indicators and risks. What is not used for long lies where its pages do.
 *
 * First fill it from the store: `putStored…` and `addPortion`, in order of time. Then apply each
 * slot. A slot can be reverted until it is finalised.
 */
export class MarketTable {
  /** Numbers of mints, pools and creators, which no slot takes back. */
  private readonly ids = new AddressIds<Address>(new UndoLog(), 'market lists');
  readonly tokens = new TokenList(this.ids);
  readonly pools = new PoolList(this.ids);
  private readonly records: MarketRecords;
  private readonly pages: PagePool;
  private readonly undo: UndoLog;
  private readonly windows: MarketWindows;
  private readonly findings: RiskFindings;
  private readonly indicators: NewestIndicators;
  private readonly applied: AppliedSlot[] = [];
  private touched = new Set<Address>();

  /** `pages`: of windows, indicators and findings. */
  constructor(
    records: MarketRecords,
    reviewOf: (id: string) => ReviewStatus | null,
    pages = new PagePool({ hasSums: false }),
  ) {
    this.records = records;
    this.pages = pages;
    this.undo = new UndoLog(APPLIED_MAX, pages);
    this.windows = new MarketWindows(this.undo, (scope) => this.touched.add(scope));
    this.findings = new RiskFindings(this.undo, reviewOf, this.ids);
    this.indicators = new NewestIndicators(this.ids, this.undo);
  }

  get counts(): MarketWindows['counts'] & { readonly tokens: number; readonly pools: number } {
    const { tokens, pools } = this;
    return {
      ...this.windows.counts,
      tokens: tokens.columns.size,
      pools: pools.columns.size,
    };
  }

  /** Bytes by part; approximate as to names. */
  get allocatedBytes(): Readonly<Record<MarketPart, number>> {
    const { ids, tokens, pools, windows, indicators, findings } = this;
    const parts = { addresses: ids, tokens, pools, windows, indicators, findings };
    const entries = Object.entries(parts).map(([part, { allocatedBytes }]) => [
      part,
      allocatedBytes,
    ]);
    return Object.fromEntries(entries) as Record<MarketPart, number>;
  }

  windowsOf(address: Address): FiguresByWindow {
    return this.windows.figures(address);
  }

  /** Figures of a pool at the end of the last minute in which it was traded; null for none. */
  indicatorsOf(pool: Address): ListedIndicators | null {
    return this.indicators.get(pool);
  }

  riskOf(mint: Address): number {
    return this.findings.scoreOf(mint);
  }

  /** Highest confidence of the published findings of a mint; 0 without one. */
  confidenceOf(mint: Address): number {
    return this.findings.confidenceOf(mint);
  }

  putStoredPools(pools: readonly PoolRecord[]): void {
    for (const pool of pools) this.putPool(pool);
    this.refreshTouched();
  }

  putStoredTokens(tokens: readonly TokenRecord[]): void {
    for (const token of tokens) this.putToken(token);
    this.refreshTouched();
  }

  putStoredIndicators(records: readonly IndicatorRecord[]): void {
    for (const record of records) this.putIndicators(record);
    this.refreshTouched();
  }

  putStoredFindings(findings: readonly RiskFinding[]): void {
    for (const finding of findings) this.putFinding(finding);
    this.refreshTouched();
  }

  addPortion({ candles, trades }: MarketPortion): void {
    let next = 0;
    for (const candle of candles) {
      for (; (trades[next]?.timeMs ?? Number.POSITIVE_INFINITY) < candle.openTimeMs; next++) {
        this.addStoredTrade(trades[next]);
      }
      this.windows.putCandle(candle);
    }
    for (const trade of trades.slice(next)) this.addStoredTrade(trade);
    this.refreshTouched();
  }

  /** Moves the windows to the time of the newest stored slot, which may be later than its trades. */
  advance(nowMs: number): void {
    this.windows.advance(nowMs);
    this.refreshTouched();
  }

  apply(changes: MarketChanges): void {
    if (this.applied.length >= APPLIED_MAX) {
      this.undo.forget(1);
      this.applied.shift();
    }
    this.undo.open();
    this.applyWindows(changes);
    for (const pool of changes.pools) this.putPool(pool);
    for (const token of changes.tokens) this.putToken(token);
    for (const { record } of changes.indicators) this.putIndicators(record);
    for (const classification of changes.classifications) this.putFinding(classification);
    this.undo.close();
    const touched = this.refreshTouched();
    this.applied.push({ slot: changes.slot, touched });
  }

  /** Reverts the newest slot. The records must be those of the slot before it. */
  revert({ slot, pools, tokens }: Pick<MarketChanges, 'slot' | 'pools' | 'tokens'>): void {
    const newest = this.applied.pop();
    if (newest?.slot !== slot) {
      throw new RangeError(`slot ${slot} is not the newest that can be reverted`);
    }
    this.undo.undo();
    for (const { pool } of pools) {
      const before = this.records.pool(pool);
      if (before === null) this.pools.remove(pool);
      else this.putPool(before);
    }
    for (const { mint } of tokens) {
      const before = this.records.token(mint);
      if (before === null) this.tokens.remove(mint);
      else this.putToken(before);
    }
    for (const address of newest.touched) this.touched.add(address);
    this.refreshTouched();
  }

  /** Slots up to this one cannot be reverted any more. */
  finalise(slot: Slot): void {
    const newer = this.applied.findIndex((one) => one.slot > slot);
    const count = newer === -1 ? this.applied.length : newer;
    this.undo.forget(count);
    this.applied.splice(0, count);
  }

  /** A user reviewed a finding of a mint. */
  reviewed(mint: Address): void {
    this.tokens.setRisk(mint, this.findings.scoreOf(mint));
  }

  private applyWindows({ slot, timeMs, candles, swaps }: MarketChanges): void {
    for (const candle of candles) this.windows.putCandle(candle);
    this.windows.advance(timeMs);
    for (const { swap, exclusion, slot: of, ...priced } of swaps) {
      // Swaps of earlier slots are listed again when their exclusion changes; that is in the candles.
      if (of !== slot || exclusion === 'quarantined') continue;
      const { pool, baseMint, trader, side } = swap;
      const { valueUsd, isOrganic } = priced;
      this.windows.addTrade({ timeMs, pool, baseMint, trader, side, valueUsd, isOrganic });
    }
  }

  private addStoredTrade(trade: WindowTrade | undefined): void {
    if (trade === undefined) return;
    this.windows.advance(trade.timeMs);
    this.windows.addTrade(trade);
  }

  private putPool(pool: PoolRecord): void {
    this.pools.put(pool);
    const lpMint = this.records.lpMintOf(pool.pool);
    if (lpMint !== null) this.tokens.putLpMint(lpMint);
    this.touched.add(pool.pool).add(pool.baseMint);
  }

  private putToken(token: TokenRecord): void {
    this.tokens.put(token);
    this.touched.add(token.mint);
  }

  private putIndicators(record: IndicatorRecord): void {
    this.indicators.put(record);
    this.touched.add(record.baseMint);
  }

  private putFinding(finding: RiskFinding): void {
    this.findings.put(finding);
    this.touched.add(finding.finding.mint);
  }

  /** Computes the columns of what was touched again, and returns it. Pages may leave memory. */
  private refreshTouched(): ReadonlySet<Address> {
    const { touched, pages } = this;
    this.touched = new Set();
    for (const address of touched) {
      if (this.pools.columns.find(address) !== -1) this.refreshPool(address);
      if (this.tokens.columns.find(address) !== -1) this.refreshToken(address);
    }
    pages.advance();
    pages.trim(TRIMMED_MAX);
    return touched;
  }

  private refreshPool(pool: Address): void {
    this.pools.setWindows(pool, this.windows.figures(pool));
    const mint = this.pools.mintOf(pool);
    if (mint === null) return;
    this.pools.setMarketCap(pool, this.tokens.valueOf(mint, this.pools.priceOf(pool)));
  }

  /** A supply may have changed, which the market caps of all pools depend on. */
  private refreshSupply(mint: Address): void {
    if (!this.tokens.takeSupplyChange(mint)) return;
    for (const pool of this.pools.ofMint(mint)) this.refreshPool(pool);
  }

  private refreshToken(mint: Address): void {
    const { tokens, pools } = this;
    const primary = tokens.primaryPoolOf(mint);
    tokens.setPools(mint, {
      venue: primary === null ? null : pools.venueOf(primary),
      liquidityUsd: primary === null ? null : pools.liquidityOf(primary),
      launchpad: pools.launchpadOf(mint),
    });
    tokens.setIndicators(mint, primary === null ? null : this.indicatorsOf(primary));
    tokens.setRisk(mint, this.findings.scoreOf(mint));
    tokens.setWindows(mint, this.windows.figures(mint));
    this.refreshSupply(mint);
  }
}

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import { type MarketChanges, type MarketRecords, MarketTable } from '../market/market-table.ts';
import type { AsOf } from '../model/as-of.ts';
import { ApiError, StoreError } from '../model/errors.ts';
import type { ReviewStatus } from '../model/fraud-review.ts';
import type { IndicatorRecord } from '../model/indicators.ts';
import type {
  PoolDetail,
  PoolListPage,
  PoolListQuery,
  TokenListPage,
  TokenListQuery,
} from '../model/market-listing.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { TOKEN_ORDERS, type TokenOrder } from '../model/token-search.ts';
import { type Address, asSlot, type Slot } from '../model/units.ts';
import type { StoredTokens } from '../store/reads/tokens.ts';
import { listPools, listTokens, poolDetail } from './market-lists.ts';
import { loadMarket, type MarketRowsSource } from './market-loading.ts';
import { type MarketPages, pagesInMemory } from './market-pages.ts';

/** The engine whose state is listed. */
export interface MarketEngine extends MarketRecords {
  readonly lastSlot: Slot | null;
  readonly timeMs: number;
  indicators(pool: Address): IndicatorRecord | null;
}

export interface MarketServiceOptions {
  readonly state: {
    readonly engine: MarketEngine;
    readonly point: { readonly unwritten: readonly { readonly changes: MarketChanges }[] };
  };
  readonly store: MarketRowsSource & {
    readonly cursor: { readonly epoch: number };
    readonly tokens: Pick<StoredTokens, 'page'>;
    readonly reviews: { statusOf(id: string): ReviewStatus | null };
  };
  /** Opens empty pages for new figures; only in memory if omitted. */
  readonly openPages?: () => MarketPages;
  readonly retryMs?: number;
}

const RETRY_MS = 5_000;

const LOADING =
  'The service is starting and computes the windows of the last 24 hours. Try again, or list ' +
  'tokens without the figures of windows.';

/**
 * Lists of pools and tokens with their figures. The figures are filled from the store after a start
 * and whenever the fold is replaced; slots applied meanwhile wait. Until then tokens are listed from
 * the store, without windows.
 */
export class MarketService implements FoldListener {
  private readonly options: MarketServiceOptions;
  private loading: MarketTable | null = null;
  private table: MarketTable | null = null;
  private pages: MarketPages = pagesInMemory();
  /** Slots that the loading table does not have yet, oldest first. */
  private waiting: MarketChanges[] = [];
  private finalSlot = -1;
  private loads = 0;

  constructor(options: MarketServiceOptions) {
    this.options = options;
  }

  /** Null until the figures are complete. */
  get ready(): MarketTable | null {
    return this.table;
  }

  /**
   * Fills the figures, and applies the unwritten slots and `added` to them. Resolves when they are
   * complete, or when they are filled anew.
   */
  async begin(added: readonly MarketChanges[] = []): Promise<void> {
    const { state, store, retryMs = RETRY_MS, openPages = pagesInMemory } = this.options;
    const { engine } = state;
    const load = ++this.loads;
    this.table = null;
    this.waiting = [...state.point.unwritten.map(({ changes }) => changes), ...added];
    const beforeSlot = this.waiting[0]?.slot ?? asSlot((engine.lastSlot ?? -1) + 1);
    const records: MarketRecords = {
      token: (mint) => this.options.state.engine.token(mint),
      pool: (pool) => this.options.state.engine.pool(pool),
      lpMintOf: (pool) => this.options.state.engine.lpMintOf(pool),
    };
    this.pages.close();
    const pages = openPages();
    this.pages = pages;
    // A service that stops closes the pages before the store.
    const isCurrent = () => load === this.loads && !pages.isClosed;
    const table = new MarketTable(records, (id) => store.reviews.statusOf(id), pages.pool);
    this.loading = table;
    const range = { epoch: store.cursor.epoch, beforeSlot, nowMs: engine.timeMs };
    const isAllStored = this.waiting.length === 0;
    try {
      await loadMarket(table, store, range, isCurrent);
      // Otherwise the first slot that is not stored moves the windows.
      if (isAllStored && isCurrent()) table.advance(range.nowMs);
      if (isCurrent()) await this.applyWaiting(table, isCurrent);
    } catch (error) {
      if (!isCurrent() || isPermanent(error)) return;
      await delay(retryMs, undefined, { ref: false });
      if (isCurrent()) await this.begin();
      return;
    }
    if (!isCurrent()) return;
    this.loading = null;
    this.table = table;
  }

  onApplied(changes: MarketChanges): void {
    const { table } = this;
    if (table !== null) this.orAnew(() => table.apply(changes), [changes]);
    else if (this.loading !== null) this.waiting.push(changes);
  }

  onReverted(changes: MarketChanges): void {
    const { table } = this;
    if (table !== null) this.orAnew(() => table.revert(changes));
    else if (this.waiting.at(-1)?.slot === changes.slot) this.waiting.pop();
    else this.orAnew(() => this.loading?.revert(changes));
  }

  onReplaced(): void {
    if (this.loads > 0) void this.begin();
  }

  onFinalised({ slot }: Pick<SlotFacts, 'slot'>): void {
    this.finalSlot = slot;
    this.table?.finalise(slot);
  }

  onStep(): void {
    // Lists are read from the table as it is.
  }

  /**
   * Changes the figures; if their pages cannot be read, they are filled anew. `added` is a slot that
   * is not among the unwritten ones yet.
   */
  private orAnew(change: () => void, added: readonly MarketChanges[] = []): void {
    try {
      change();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      void this.begin(added);
    }
  }

  /** A user reviewed a finding of a mint. */
  reviewed(mint: Address): void {
    this.table?.reviewed(mint);
  }

  /** Throws ApiError until the figures are complete. */
  tokens(query: TokenListQuery): TokenListPage {
    return listTokens(this.complete(), this.options.state.engine, query);
  }

  /** Throws ApiError until the figures are complete. */
  pools(query: PoolListQuery): PoolListPage {
    return listPools(this.complete(), this.options.state.engine, query);
  }

  /** The windows are null until they are complete. */
  pool(address: Address): PoolDetail | null {
    return poolDetail(this.table, this.options.state.engine, address);
  }

  /**
   * Tokens from the store, as of its last slot, without windows. Throws ApiError for a query by
   * figures that it does not have.
   */
  async storedTokens(query: TokenListQuery, nowMs: number): Promise<AsOf<TokenListPage>> {
    const { search, orderBy, orderDir, offset, limit } = query;
    if (!isStoredOrder(orderBy) || !isPlain(query)) throw new ApiError(503, LOADING);
    const stored = { search, orderBy, orderDir, offset, limit, nowMs };
    const { items, total, slot } = await this.options.store.tokens.page(stored);
    const unknown = {
      windows: null,
      marketCapUsd: null,
      liquidityUsd: null,
      venue: null,
      launchpad: null,
      riskScore: null,
      trending: null,
    };
    const listings = items.map((item) => ({ ...item, ...unknown }));
    return {
      slot,
      timeMs: slot === null ? null : nowMs,
      data: { items: listings, total, next: null, isComplete: false },
    };
  }

  /** Applies the slots that arrived meanwhile, one per turn of the event loop. */
  private async applyWaiting(table: MarketTable, isCurrent: () => boolean): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      table.apply(next);
      table.finalise(asSlot(Math.max(0, this.finalSlot)));
      await nextTurn();
      if (!isCurrent()) return;
    }
  }

  private complete(): MarketTable {
    if (this.table === null) throw new ApiError(503, LOADING);
    return this.table;
  }
}

/** Whether a store will not answer later either. Throws what no store throws. */
function isPermanent(error: unknown): boolean {
  if (error instanceof StoreError) return !error.isTransient;
  if (error instanceof ApiError) return false;
  throw error;
}

function isStoredOrder(order: string): order is TokenOrder {
  return (TOKEN_ORDERS as readonly string[]).includes(order);
}

function isPlain(query: TokenListQuery): boolean {
  const { ranges, ageSecondsMin, ageSecondsMax, venue, launchpad, creator, after } = query;
  const conditions = [ageSecondsMin, ageSecondsMax, venue, launchpad, creator, after];
  return ranges.length === 0 && conditions.every((condition) => condition === null);
}

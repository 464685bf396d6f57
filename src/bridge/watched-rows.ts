import type { SlotChanges } from '../model/derived.ts';
import type { Address, RawAmount } from '../model/units.ts';
import {
  type DroppedRow,
  type LiveAnswer,
  type LiveEngine,
  type LiveRow,
  type LiveRowName,
  readLiveRow,
} from './live-rows.ts';

/**
 * Supply at which holders of a mint were last filtered: balances below a billionth of it are dust.
 */
type Supply = RawAmount | null;

/** Number of the newest answer sent for a row. */
type WatchId = number;

/**
 * Tracks which rows the API caches, and which of them changed since the last publication. The cost
 * of a slot depends on its changes, not on the number of watched rows. Indicators are the
 * exception: they are as of the current time and change with every slot. Bounded by the size of the
 * API's cache.
 */
export class WatchedRows {
  private readonly holdersMax: number;
  private readonly watchIds = {
    token: new Map<Address, WatchId>(),
    pool: new Map<Address, WatchId>(),
    holders: new Map<Address, WatchId>(),
    indicators: new Map<Address, WatchId>(),
  };
  /** Of mints whose holders are watched. */
  private readonly supplies = new Map<Address, Supply>();
  private lastWatchId: WatchId = 0;
  private areIndicatorsChanged = false;
  private changedTokens = new Set<Address>();
  private changedPools = new Set<Address>();
  private changedHolders = new Set<Address>();

  constructor(holdersMax: number) {
    this.holdersMax = holdersMax;
  }

  get size(): number {
    return Object.values(this.watchIds).reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Returns the current rows and starts watching them. Throws what the engine throws; none of them is
   * watched then.
   */
  watch(engine: LiveEngine, names: readonly LiveRowName[]): LiveAnswer {
    const rows = names.map((name) => readLiveRow(engine, name, this.holdersMax));
    const holders = names.filter(({ kind }) => kind === 'holders');
    const supplies = holders.map(({ address }) => [address, supplyOf(engine, address)] as const);
    const watchId = ++this.lastWatchId;
    for (const { kind, address } of names) this.watchIds[kind].set(address, watchId);
    for (const [address, supply] of supplies) this.supplies.set(address, supply);
    return { watchId, rows };
  }

  /** Does nothing if a later answer for the row was sent. */
  unwatch({ kind, address, watchId }: DroppedRow): void {
    if (this.watchIds[kind].get(address) !== watchId) return;
    this.watchIds[kind].delete(address);
    if (kind === 'holders') this.supplies.delete(address);
  }

  /** Drops all watches after the engine was replaced; the API drops its rows too. */
  clear(): void {
    for (const watched of Object.values(this.watchIds)) watched.clear();
    this.supplies.clear();
    this.forgetChanges();
  }

  /** Notes the rows changed by an applied or reverted slot. */
  note({ tokens, pools, balances }: Pick<SlotChanges, 'tokens' | 'pools' | 'balances'>): void {
    for (const { mint } of tokens) if (this.isTokenWatched(mint)) this.changedTokens.add(mint);
    for (const { pool } of pools) if (this.watchIds.pool.has(pool)) this.changedPools.add(pool);
    for (const { mint } of balances)
      if (this.watchIds.holders.has(mint)) this.changedHolders.add(mint);
    this.areIndicatorsChanged = true;
  }

  /**
   * Current values of the rows that changed since the last call. Throws what the engine throws: the
   * changes are then forgotten, so that the caller has to drop all watches.
   */
  takeChanged(engine: LiveEngine): LiveRow[] {
    const names: LiveRowName[] = [];
    for (const address of this.changedPools) {
      if (this.watchIds.pool.has(address)) names.push({ kind: 'pool', address });
    }
    for (const address of this.changedTokens) {
      if (this.watchIds.token.has(address)) names.push({ kind: 'token', address });
      if (this.hasSupplyChanged(engine, address)) this.changedHolders.add(address);
    }
    for (const address of this.changedHolders) {
      if (this.watchIds.holders.has(address)) names.push({ kind: 'holders', address });
    }
    if (this.areIndicatorsChanged) {
      for (const address of this.watchIds.indicators.keys())
        names.push({ kind: 'indicators', address });
    }
    this.forgetChanges();
    return names.map((name) => this.read(engine, name));
  }

  private read(engine: LiveEngine, name: LiveRowName): LiveRow {
    const { kind, address } = name;
    if (kind === 'holders') this.supplies.set(address, supplyOf(engine, address));
    return readLiveRow(engine, name, this.holdersMax);
  }

  private isTokenWatched(mint: Address): boolean {
    return this.watchIds.token.has(mint) || this.watchIds.holders.has(mint);
  }

  /**
   * Without trades, the listed holders change only if the supply and therefore the dust limit does.
   */
  private hasSupplyChanged(engine: LiveEngine, mint: Address): boolean {
    const judged = this.supplies.get(mint);
    return judged !== undefined && judged !== supplyOf(engine, mint);
  }

  private forgetChanges(): void {
    this.changedTokens = new Set();
    this.changedPools = new Set();
    this.changedHolders = new Set();
    this.areIndicatorsChanged = false;
  }
}

function supplyOf(engine: LiveEngine, mint: Address): Supply {
  return engine.token(mint)?.supplyRaw ?? null;
}

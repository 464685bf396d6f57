import type { SlotChanges } from '../model/derived.ts';
import type { Address, RawAmount } from '../model/units.ts';
import {
  type LetGoRow,
  type LiveAnswer,
  type LiveEngine,
  type LiveRow,
  type LiveRowName,
  readLiveRow,
} from './live-rows.ts';

/** Supply that a mint's holders were last judged by: less than a billionth of it is dust. */
type Supply = RawAmount | null;

/** The number of the newest answer that was given of a row. */
type WatchId = number;

/**
 * Which rows the API keeps, and which of them are others since it was last told. What a slot costs
 * here grows with what it changed, not with what is watched: but for figures of pools, which each slot
 * moves, since they are as of its time. Bounded by what the API keeps.
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
  private areFiguresOthers = false;
  private changedTokens = new Set<Address>();
  private changedPools = new Set<Address>();
  private changedHeld = new Set<Address>();

  constructor(holdersMax: number) {
    this.holdersMax = holdersMax;
  }

  get size(): number {
    return Object.values(this.watchIds).reduce((sum, { size }) => sum + size, 0);
  }

  /** The rows as they are now; from here on their changes are noted. */
  watch(engine: LiveEngine, names: readonly LiveRowName[]): LiveAnswer {
    const watchId = ++this.lastWatchId;
    for (const { kind, address } of names) this.watchIds[kind].set(address, watchId);
    return { watchId, rows: names.map((name) => this.read(engine, name)) };
  }

  /** Does nothing where a later answer of the row is on its way. */
  unwatch({ kind, address, watchId }: LetGoRow): void {
    if (this.watchIds[kind].get(address) !== watchId) return;
    this.watchIds[kind].delete(address);
    if (kind === 'holders') this.supplies.delete(address);
  }

  /** Everything is another now: whoever keeps rows drops them. */
  clear(): void {
    for (const watched of Object.values(this.watchIds)) watched.clear();
    this.supplies.clear();
    this.forgetChanges();
  }

  /** What a slot changed, or what went back with it. */
  note({ tokens, pools, balances }: Pick<SlotChanges, 'tokens' | 'pools' | 'balances'>): void {
    for (const { mint } of tokens) if (this.isTokenWatched(mint)) this.changedTokens.add(mint);
    for (const { pool } of pools) if (this.watchIds.pool.has(pool)) this.changedPools.add(pool);
    for (const { mint } of balances)
      if (this.watchIds.holders.has(mint)) this.changedHeld.add(mint);
    this.areFiguresOthers = true;
  }

  /** The rows that changed since the last call, as they are now. */
  takeChanged(engine: LiveEngine): LiveRow[] {
    const names: LiveRowName[] = [];
    for (const address of this.changedPools) {
      if (this.watchIds.pool.has(address)) names.push({ kind: 'pool', address });
    }
    for (const address of this.changedTokens) {
      if (this.watchIds.token.has(address)) names.push({ kind: 'token', address });
      if (this.areOthersDust(engine, address)) this.changedHeld.add(address);
    }
    for (const address of this.changedHeld) {
      if (this.watchIds.holders.has(address)) names.push({ kind: 'holders', address });
    }
    if (this.areFiguresOthers) {
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

  /** Holders of a mint that nobody traded are others only where its supply is. */
  private areOthersDust(engine: LiveEngine, mint: Address): boolean {
    const judged = this.supplies.get(mint);
    return judged !== undefined && judged !== supplyOf(engine, mint);
  }

  private forgetChanges(): void {
    this.changedTokens = new Set();
    this.changedPools = new Set();
    this.changedHeld = new Set();
    this.areFiguresOthers = false;
  }
}

function supplyOf(engine: LiveEngine, mint: Address): Supply {
  return engine.token(mint)?.supplyRaw ?? null;
}

import type { SlotChanges } from '../model/derived.ts';
import type { Address, RawAmount } from '../model/units.ts';
import { type LiveEngine, type LiveRow, type LiveRowName, readLiveRow } from './live-rows.ts';

/** Supply that a mint's holders were last judged by: less than a billionth of it is dust. */
type Supply = RawAmount | null;

/**
 * Which rows the API keeps, and which of them are others since it was last told. What a slot costs
 * here grows with what it changed, not with what is watched: but for figures of pools, which each slot
 * moves, since they are as of its time. Bounded by what the API keeps.
 */
export class WatchedRows {
  private readonly holdersMax: number;
  private readonly tokens = new Set<Address>();
  private readonly pools = new Set<Address>();
  private readonly holders = new Map<Address, Supply>();
  private readonly figures = new Set<Address>();
  private areFiguresOthers = false;
  private changedTokens = new Set<Address>();
  private changedPools = new Set<Address>();
  private changedHeld = new Set<Address>();

  constructor(holdersMax: number) {
    this.holdersMax = holdersMax;
  }

  get size(): number {
    return this.tokens.size + this.pools.size + this.holders.size + this.figures.size;
  }

  /** The row as it is now; from here on its changes are noted. */
  watch(engine: LiveEngine, name: LiveRowName): LiveRow {
    const { kind, address } = name;
    if (kind === 'token') this.tokens.add(address);
    else if (kind === 'pool') this.pools.add(address);
    else if (kind === 'holders') this.holders.set(address, supplyOf(engine, address));
    else this.figures.add(address);
    return readLiveRow(engine, name, this.holdersMax);
  }

  unwatch({ kind, address }: LiveRowName): void {
    if (kind === 'token') this.tokens.delete(address);
    else if (kind === 'pool') this.pools.delete(address);
    else if (kind === 'holders') this.holders.delete(address);
    else this.figures.delete(address);
  }

  /** Everything is another now: whoever keeps rows drops them. */
  clear(): void {
    for (const watched of [this.tokens, this.pools, this.holders, this.figures]) watched.clear();
    this.forgetChanges();
  }

  /** What a slot changed, or what went back with it. */
  note({ tokens, pools, balances }: Pick<SlotChanges, 'tokens' | 'pools' | 'balances'>): void {
    for (const { mint } of tokens) if (this.isTokenWatched(mint)) this.changedTokens.add(mint);
    for (const { pool } of pools) if (this.pools.has(pool)) this.changedPools.add(pool);
    for (const { mint } of balances) if (this.holders.has(mint)) this.changedHeld.add(mint);
    this.areFiguresOthers = true;
  }

  /** The rows that changed since the last call, as they are now. */
  takeChanged(engine: LiveEngine): LiveRow[] {
    const names: LiveRowName[] = [];
    for (const address of this.changedPools) {
      if (this.pools.has(address)) names.push({ kind: 'pool', address });
    }
    for (const address of this.changedTokens) {
      if (this.tokens.has(address)) names.push({ kind: 'token', address });
      if (this.areOthersDust(engine, address)) this.changedHeld.add(address);
    }
    for (const address of this.changedHeld) {
      if (this.holders.has(address)) names.push({ kind: 'holders', address });
    }
    if (this.areFiguresOthers) {
      for (const address of this.figures) names.push({ kind: 'indicators', address });
    }
    this.forgetChanges();
    return names.map((name) => this.watch(engine, name));
  }

  private isTokenWatched(mint: Address): boolean {
    return this.tokens.has(mint) || this.holders.has(mint);
  }

  /** Holders of a mint that nobody traded are others only where its supply is. */
  private areOthersDust(engine: LiveEngine, mint: Address): boolean {
    const judged = this.holders.get(mint);
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

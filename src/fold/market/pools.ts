import { AddressIds } from '../../lib/address-ids.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import type { RecentById } from '../../lib/recent-by-id.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type {
  FeeSweep,
  Launch,
  Liquidity,
  Migrate,
  PoolBoost,
  PoolCreated,
} from '../../model/chain-event.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount, asUsdNano, type PriceE18 } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import { PoolNumbers } from './pool-numbers.ts';
import type { RobustPrice } from './pool-price-state.ts';
import { exactReserves, setAside, shifted, withHoldings } from './pool-reserves.ts';
import { newPool, POOL_STATE, type PoolIdentity, type PoolState } from './pool-state.ts';
import { tradeSidesOf } from './pool-trades.ts';

/** The fields of a robust price that a pool shows. */
type ShownPrice = Pick<RobustPrice, 'price' | 'priceUsd' | 'quoteChain'>;

/** Addresses of which it is kept whether they are pools: the payers of some hundred cases. */
const RECENT_ADDRESSES_MAX = 2 ** 15;

/** Pools by address, and the pools of each base mint in order of first sight. */
export class PoolBook {
  private readonly numbers: PoolNumbers;
  /** By number. */
  private readonly states: ObjectMap<PoolState>;
  private changed = new Set<PoolState>();
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;
  readonly #arePools: RecentById<boolean>;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(undo = new UndoLog(), ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.ids = ids;
    this.numbers = new PoolNumbers(ids, undo);
    this.states = new ObjectMap(POOL_STATE, undo, 'pools');
    this.#arePools = ids.createRecent(RECENT_ADDRESSES_MAX);
  }

  /** The state of a pool. It may be another object after the slot. */
  get(pool: Address): PoolState | undefined {
    const number = this.numbers.find(pool);
    return number === -1 ? undefined : this.states.get(number);
  }

  has(pool: Address): boolean {
    return this.numbers.find(pool) !== -1;
  }

  /** Same as `has`, by the id of an address; false for -1. */
  hasById(id: number): boolean {
    const known = this.#arePools.get(id);
    if (known !== undefined) return known;
    const isPool = this.numbers.findById(id) !== -1;
    if (id !== -1) this.#arePools.set(id, isPool);
    return isPool;
  }

  ofMint(mint: Address): readonly PoolState[] {
    const pools: PoolState[] = [];
    let number = this.numbers.firstOf(mint);
    for (; number !== -1; number = this.numbers.after(number)) {
      pools.push(this.states.get(number) as PoolState);
    }
    return pools;
  }

  /** Whether a mint is the base of a pool. */
  hasPool(mint: Address): boolean {
    return this.numbers.firstOf(mint) !== -1;
  }

  /** Adds a new pool. */
  open(identity: PoolIdentity, at: Moment): PoolState {
    const number = this.numbers.add(identity.pool, identity.baseMint);
    this.#arePools.change(this.undo, this.ids.idOf(identity.pool));
    const state = newPool(number, identity, at);
    this.states.set(number, state);
    this.changed.add(state);
    return state;
  }

  /** Applies a verified swap to volume and reserves; its trader is counted with the wallets. */
  applySwap(state: PoolState, priced: PricedSwap, at: Moment): void {
    const { swap } = priced;
    this.touch(state, at);
    addVolume(state, priced);
    state.reserves = swap.reserves ?? (state.reserves && shifted(state.reserves, swap));
    state.lastSwapMs = knownTimeMs(at) ?? state.lastSwapMs;
  }

  /** Counts the buys and sells made by the swaps of one transaction on one pool. */
  countTrades(state: PoolState, swaps: readonly Swap[]): void {
    this.changing(state);
    for (const side of tradeSidesOf(swaps)) {
      if (side === 'buy') state.buyCount++;
      else state.sellCount++;
    }
  }

  applyLaunch(state: PoolState, event: Launch, at: Moment): void {
    this.touch(state, at);
    state.creator = event.creator;
    state.createdSlot = at.slot;
    state.reserves = event.reserves ?? state.reserves;
  }

  applyPoolCreated(state: PoolState, event: PoolCreated, at: Moment): void {
    this.touch(state, at);
    state.creator = event.creator;
    state.createdSlot = at.slot;
    state.reserves = exactReserves(event.baseRaw, event.quoteRaw);
  }

  applyLiquidity(state: PoolState, event: Liquidity, at: Moment): void {
    this.touch(state, at);
    const { reserves } = event;
    if (reserves !== null) state.reserves = withHoldings(state.reserves, reserves);
    else state.reserves = state.reserves && shifted(state.reserves, event);
  }

  /** Applies a change of one side without a trade, after which the pool prices as before. */
  applySetAside(state: PoolState, { mint, poolDelta }: FeeSweep | PoolBoost, at: Moment): void {
    if (poolDelta === 0n || state.reserves === null) return;
    this.touch(state, at);
    const base = mint === state.baseMint ? poolDelta : 0n;
    const quote = mint === state.quoteMint ? poolDelta : 0n;
    state.reserves = setAside(state.reserves, base, quote);
  }

  /** Stores the price of a quote other than SOL and stablecoins. Call `touch` first. */
  setQuoteUsd(state: PoolState, quoteUsd: PriceE18 | null): void {
    state.quoteUsd = quoteUsd;
  }

  applyComplete(state: PoolState, at: Moment): void {
    this.touch(state, at);
    state.isCurveComplete = true;
  }

  /** Empties the curve, because its liquidity moved to another pool. */
  applyMigrate(state: PoolState, event: Migrate, at: Moment): void {
    this.touch(state, at);
    state.isCurveComplete = true;
    state.migratedTo = event.toPool;
    state.reserves = exactReserves(asRawAmount(0n), asRawAmount(0n));
  }

  /** Sets the robust price. Returns true when it changed. */
  setPrice(state: PoolState, { price, priceUsd, quoteChain }: ShownPrice, at: Moment): boolean {
    if (state.price === price && state.priceUsd === priceUsd) return false;
    this.touch(state, at);
    state.price = price;
    state.priceUsd = priceUsd;
    state.priceChain = priceUsd === null ? null : quoteChain;
    if (priceUsd !== null && (state.athPriceUsd === null || priceUsd > state.athPriceUsd)) {
      state.athPriceUsd = priceUsd;
    }
    return true;
  }

  /**
   * Marks a pool as changed, also when a published value from another book changed. Must be called
   * before `state` is changed, because it saves the state for undo.
   */
  touch(state: PoolState, at: Moment): void {
    this.changing(state);
    state.slot = at.slot;
    state.updatedAtMs = knownTimeMs(at);
    this.changed.add(state);
  }

  /** Base mints of the pools that `takeChanges` would return, in the same order. */
  changedMints(): Set<Address> {
    const mints = new Set<Address>();
    for (const { baseMint } of this.changed) mints.add(baseMint);
    return mints;
  }

  /** Pools changed since the last call, in order of first change. Call at the end of each slot. */
  takeChanges(): PoolState[] {
    const changed = [...this.changed];
    this.changed = new Set();
    return changed;
  }

  get size(): number {
    return this.states.size;
  }

  private changing(state: PoolState): void {
    const isFirst = this.undo.isFirst(state);
    // Announced already: a pool changes several times in a slot.
    if (!isFirst && this.changed.has(state)) return;
    this.states.changing(state.number);
    if (isFirst) this.undo.fields(state, { ...state });
  }
}

function addVolume(state: PoolState, { swap, valueUsd }: PricedSwap): void {
  const quoteRaw = swap.poolQuoteDelta < 0n ? -swap.poolQuoteDelta : swap.poolQuoteDelta;
  state.swapCount++;
  state.quoteVolumeRaw = asRawAmount(state.quoteVolumeRaw + quoteRaw);
  if (valueUsd === null) return;
  state.pricedQuoteVolumeRaw = asRawAmount(state.pricedQuoteVolumeRaw + quoteRaw);
  if (swap.side === 'buy') state.buyVolumeUsd = asUsdNano(state.buyVolumeUsd + valueUsd);
  else state.sellVolumeUsd = asUsdNano(state.sellVolumeUsd + valueUsd);
}

import type { Mutable } from '../../lib/mutable.ts';
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
import type { PoolRecord } from '../../model/pool-record.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount, asUsdNano, type PriceE18 } from '../../model/units.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';
import type { RobustPrice } from './pool-price-state.ts';
import { exactReserves, setAside, shifted, withHoldings } from './pool-reserves.ts';
import { tradeSidesOf } from './pool-trades.ts';

/** The immutable fields of a pool. */
export type PoolIdentity = Pick<
  PoolRecord,
  'pool' | 'venue' | 'baseMint' | 'quoteMint' | 'baseDecimals' | 'quoteDecimals'
>;

/** The fields of a robust price that a pool shows. */
type ShownPrice = Pick<RobustPrice, 'price' | 'priceUsd' | 'quoteChain'>;

/** Fields of the public record that are added when it is presented. */
type PresentedField = 'walletCount' | 'liquidityUsd' | 'lockedLiquidity';

/** The internal state of a pool; `presentPool` creates the public record. */
export interface PoolState
  extends PoolIdentity,
    Mutable<Omit<PoolRecord, PresentedField | keyof PoolIdentity>> {
  /**
   * USD per whole quote token at the pool's last change; null while unknown, and for SOL and
   * stablecoins, whose price is always known.
   */
  quoteUsd: PriceE18 | null;
}

/** Pools by address, and the pools of each base mint in order of first sight. */
export class PoolBook {
  private readonly states = new Map<Address, PoolState>();
  private readonly poolsByMint = new Map<Address, PoolState[]>();
  private changed = new Set<PoolState>();
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  get(pool: Address): PoolState | undefined {
    return this.states.get(pool);
  }

  ofMint(mint: Address): readonly PoolState[] {
    return this.poolsByMint.get(mint) ?? [];
  }

  /** Adds a new pool. */
  open(identity: PoolIdentity, at: Moment): PoolState {
    const state = newPool(identity, at);
    this.undo.map(this.states, identity.pool);
    this.states.set(identity.pool, state);
    const siblings = this.poolsByMint.get(identity.baseMint);
    if (siblings === undefined) {
      this.undo.map(this.poolsByMint, identity.baseMint);
      this.poolsByMint.set(identity.baseMint, [state]);
    } else {
      this.undo.push(siblings);
      siblings.push(state);
    }
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
    this.keep(state);
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
    this.keep(state);
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

  /** Pools changed since the last call, in order of first change. */
  takeChanges(): PoolState[] {
    const changed = [...this.changed];
    this.changed = new Set();
    return changed;
  }

  get size(): number {
    return this.states.size;
  }

  /** Addresses in sorted order. */
  addresses(): Address[] {
    return [...this.states.keys()].sort();
  }

  private keep(state: PoolState): void {
    if (this.undo.isFirst(state)) this.undo.fields(state, { ...state });
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

function newPool(identity: PoolIdentity, at: Moment): PoolState {
  return {
    pool: identity.pool,
    venue: identity.venue,
    baseMint: identity.baseMint,
    quoteMint: identity.quoteMint,
    baseDecimals: identity.baseDecimals,
    quoteDecimals: identity.quoteDecimals,
    creator: null,
    createdSlot: null,
    reserves: null,
    quoteUsd: null,
    buyCount: 0,
    sellCount: 0,
    swapCount: 0,
    buyVolumeUsd: asUsdNano(0n),
    sellVolumeUsd: asUsdNano(0n),
    quoteVolumeRaw: asRawAmount(0n),
    pricedQuoteVolumeRaw: asRawAmount(0n),
    price: null,
    priceUsd: null,
    priceChain: null,
    athPriceUsd: null,
    isCurveComplete: false,
    migratedTo: null,
    firstSeenMs: knownTimeMs(at),
    lastSwapMs: null,
    updatedAtMs: knownTimeMs(at),
    slot: at.slot,
  };
}

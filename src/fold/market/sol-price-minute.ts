import { absolute, divide } from '../../lib/decimal.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { effectiveReserves } from '../../model/reserves.ts';
import type { Swap } from '../../model/swap.ts';
import {
  type Address,
  asPriceE18,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
} from '../../model/units.ts';
import type { PoolMinute, SolPriceState } from './sol-price-state.ts';

/** Trades above this are strong evidence. */
const STRONG_USD_NANO = 100_000_000_000n;
/** Trades below this are ignored: one raw unit should be at most a millionth of a trade. */
const WEAK_USD_NANO = 1_000_000_000n;
const USD_NANO_DECIMALS = 9;
const DEEPEST = 3;
/** Maximum of pools per minute. Above it a deeper pool replaces the shallowest one. */
const POOLS_MAX = 256;
/** SOL and USD both have nine decimals here, so their raw quotient is the price. */
const SOL_PRICE_FACTOR = powerOfTen(PRICE_SCALE);

/** The SOL/stablecoin trades of the current minute, by pool. */
export class MinuteTrades {
  private readonly state: Pick<SolPriceState, 'pools'>;
  private readonly undo: UndoLog;

  /** Whoever enters a minute replaces the pools of `state`. */
  constructor(state: Pick<SolPriceState, 'pools'>, undo = new UndoLog()) {
    this.state = state;
    this.undo = undo;
  }

  /** Adds a swap of SOL against a stablecoin worth 1 USD. Returns false if it does not count. */
  apply(swap: Swap): boolean {
    const usdNano = toUsdNano(absolute(swap.poolQuoteDelta), swap.quoteDecimals);
    const baseRaw = absolute(swap.poolBaseDelta);
    if (usdNano < WEAK_USD_NANO || baseRaw === 0n) return false;
    const { reserves, quoteDecimals } = swap;
    const depth =
      reserves === null ? null : toUsdNano(effectiveReserves(reserves).quote, quoteDecimals);
    const pool = this.ensure(swap.pool, depth ?? 0n);
    if (pool === null) return false;
    this.undo.keep(pool);
    if (depth !== null) pool.depthUsdNano = depth;
    pool.weakQuoteUsdNano += usdNano;
    pool.weakBaseRaw += baseRaw;
    if (usdNano > STRONG_USD_NANO) {
      pool.strongQuoteUsdNano += usdNano;
      pool.strongBaseRaw += baseRaw;
    }
    return true;
  }

  /** Median vwap of the three deepest pools with trades above $100; null if there are none. */
  strongUsd(): PriceE18 | null {
    return this.median((pool) => vwap(pool.strongQuoteUsdNano, pool.strongBaseRaw));
  }

  /** The same for all trades of at least $1. */
  weakUsd(): PriceE18 | null {
    return this.median((pool) => vwap(pool.weakQuoteUsdNano, pool.weakBaseRaw));
  }

  private median(vwapOf: (pool: PoolMinute) => bigint | null): PriceE18 | null {
    const vwaps: bigint[] = [];
    for (const pool of [...this.state.pools.values()].sort(byDepth)) {
      const price = vwapOf(pool);
      if (price !== null) vwaps.push(price);
      if (vwaps.length === DEEPEST) break;
    }
    vwaps.sort((one, other) => (one < other ? -1 : 1));
    const [low, middle, high] = vwaps;
    if (low === undefined) return null;
    if (middle === undefined) return asPriceE18(low);
    if (high === undefined) return asPriceE18(divide(low + middle, 2n, 'half-up'));
    return asPriceE18(middle);
  }

  private ensure(address: Address, depthUsdNano: bigint): PoolMinute | null {
    const { pools } = this.state;
    const known = pools.get(address);
    if (known !== undefined) return known;
    if (pools.size >= POOLS_MAX) {
      const shallowest = [...pools.values()].sort(byDepth).at(-1);
      if (shallowest === undefined || shallowest.depthUsdNano >= depthUsdNano) return null;
      this.undo.map(pools, shallowest.pool);
      pools.delete(shallowest.pool);
    }
    const pool: PoolMinute = {
      pool: address,
      depthUsdNano,
      strongQuoteUsdNano: 0n,
      strongBaseRaw: 0n,
      weakQuoteUsdNano: 0n,
      weakBaseRaw: 0n,
    };
    this.undo.map(pools, address);
    pools.set(address, pool);
    return pool;
  }
}

/** Deepest first; ties by address. */
function byDepth(one: PoolMinute, other: PoolMinute): number {
  if (one.depthUsdNano !== other.depthUsdNano) {
    return one.depthUsdNano > other.depthUsdNano ? -1 : 1;
  }
  return one.pool < other.pool ? -1 : 1;
}

function vwap(quoteUsdNano: bigint, baseRaw: bigint): bigint | null {
  if (baseRaw === 0n) return null;
  return divide(quoteUsdNano * SOL_PRICE_FACTOR, baseRaw, 'half-up');
}

/** Exact, because stablecoins have six decimals. */
function toUsdNano(raw: bigint, decimals: number): bigint {
  return (raw * powerOfTen(USD_NANO_DECIMALS)) / powerOfTen(decimals);
}

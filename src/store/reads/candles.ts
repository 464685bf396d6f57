import { BASE_CANDLE_MS, type Candle, type PricedSwap } from '../../model/derived.ts';
import type { Address } from '../../model/units.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import { candleTable, toMadeCandle } from '../tables/candle-table.ts';
import { swapTable } from '../tables/swap-tables.ts';
import {
  CANDLES_FROM_ORGANIC_SWAPS,
  CANDLES_FROM_SWAPS,
  LAST_CANDLE,
  LAST_ORGANIC_SWAPS,
  MERGE_CANDLES,
  ofPool,
  SWAPS_IN_RANGE,
} from './candle-sql.ts';

export interface CandleRangeQuery {
  /** A mint, or one of its pools. */
  readonly scope: Address;
  /** The first and last bucket are cut to the range, so it should begin at a bucket's start. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** A multiple of 30 s, or a divisor of it. */
  readonly intervalMs: number;
  /** Whether the scope is known to be a pool, which is read faster. */
  readonly isPool?: boolean;
  /** Whose trades are included; default: all. */
  readonly view?: CandleView;
}

export type CandleView = 'all' | 'organic';

/** Candles of every interval, made from the stored 30 s candles and from swaps. */
export class StoredCandles {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Oldest first, without buckets that have no trades. */
  async read(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const { intervalMs, view = 'all' } = query;
    const isStored = intervalMs % BASE_CANDLE_MS === 0;
    if (isStored && view === 'all') return await this.select(MERGE_CANDLES, query);
    if (!isStored && BASE_CANDLE_MS % intervalMs !== 0) {
      throw new RangeError(`candles of ${intervalMs} ms do not fit those of ${BASE_CANDLE_MS} ms`);
    }
    const [ofSwaps, stored] = await Promise.all([
      this.fromSwaps(query),
      this.select(MERGE_CANDLES, aroundStoredCandles(query)),
    ]);
    return withSupply(ofSwaps, stored, Math.max(intervalMs, BASE_CANDLE_MS));
  }

  /** Candles from swaps without supply and finality, which `withSupply` adds. Oldest first. */
  fromSwaps(query: CandleRangeQuery): Promise<readonly Candle[]> {
    const { view = 'all', isPool = false } = query;
    const sql = view === 'all' ? CANDLES_FROM_SWAPS : CANDLES_FROM_ORGANIC_SWAPS;
    return this.select(isPool ? ofPool(sql) : sql, query);
  }

  /** The last stored candle with a price in USD that opened before `beforeMs`. */
  lastBefore(scope: Address, beforeMs: number): Promise<Candle | null> {
    const params = { scope, before: beforeMs };
    const openTimeMs = (candle: Candle) => candle.openTimeMs;
    return this.reads.newest(LAST_CANDLE, candleTable.read, params, openTimeMs);
  }

  /** The newest organic swaps before `beforeMs` that set the price of the scope, newest first. */
  organicSwapsBefore(
    scope: Address,
    beforeMs: number,
    limit: number,
  ): Promise<readonly PricedSwap[]> {
    const params = { scope, before: beforeMs, limit };
    return this.reads.all(LAST_ORGANIC_SWAPS, swapTable.read, params);
  }

  /**
   * Swaps of a pool, or of all pools of a mint, with their current labels, in no order. Fields that
   * candles do not need, such as reserves, fees and router details, are null.
   */
  swaps(scope: Address, fromMs: number, toMs: number): Promise<readonly PricedSwap[]> {
    const params = { scope, from: fromMs, to: toMs };
    return this.reads.all(SWAPS_IN_RANGE, swapTable.read, params);
  }

  private async select(
    sql: string,
    { scope, fromMs, toMs, intervalMs }: CandleRangeQuery,
  ): Promise<Candle[]> {
    const params = { scope, from: fromMs, to: toMs, interval: intervalMs };
    const candles = await this.reads.all(sql, toMadeCandle, params);
    return candles.map((candle) => ({ scope, ...candle }));
  }
}

/** The query for the stored candles around the candles of a query. */
export function aroundStoredCandles(query: CandleRangeQuery): CandleRangeQuery {
  const intervalMs = Math.max(query.intervalMs, BASE_CANDLE_MS);
  return {
    scope: query.scope,
    fromMs: floorTo(query.fromMs, intervalMs),
    toMs: query.toMs,
    intervalMs,
  };
}

/** Candles made from swaps, with supply and finality of the stored candles around them. */
export function withSupply(
  ofSwaps: readonly Candle[],
  stored: readonly Candle[],
  storedMs: number,
): Candle[] {
  const storedByOpen = new Map(stored.map((candle) => [candle.openTimeMs, candle]));
  return ofSwaps.map((candle) => {
    const around = storedByOpen.get(floorTo(candle.openTimeMs, storedMs));
    if (around === undefined) return candle;
    return { ...candle, supplyRaw: around.supplyRaw, isFinal: around.isFinal };
  });
}

function floorTo(timeMs: number, intervalMs: number): number {
  return Math.floor(timeMs / intervalMs) * intervalMs;
}

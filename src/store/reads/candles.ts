import {
  BASE_CANDLE_MS,
  type Candle,
  type OpenHighLowClose,
  type PricedSwap,
} from '../../model/derived.ts';
import type { Address, PriceE18, RawAmount, Slot, UsdNano } from '../../model/units.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import {
  CANDLES_FROM_ORGANIC_SWAPS,
  CANDLES_FROM_SWAPS,
  type CandleRow,
  LAST_CANDLE,
  LAST_ORGANIC_SWAPS,
  MERGE_CANDLES,
} from './candle-sql.ts';
import { SWAPS_IN_RANGE, type SwapRow, toPricedSwap } from './stored-swaps.ts';

export interface CandleRangeQuery {
  /** A mint, or one of its pools. */
  readonly scope: Address;
  /** The first and last bucket are cut to the range, so it should begin at a bucket's start. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** A multiple of 30 s, or a divisor of it. */
  readonly intervalMs: number;
  /** Whose trades are included; default: all. */
  readonly view?: CandleView;
}

export type CandleView = 'all' | 'organic';

/** Candles of every interval, made from the stored 30 s candles and from swaps. */
export class StoredCandles {
  private readonly lane: Lane;
  private readonly visible: VisibleEpoch;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.lane = lane;
    this.visible = visible;
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
      this.select(view === 'all' ? CANDLES_FROM_SWAPS : CANDLES_FROM_ORGANIC_SWAPS, query),
      this.select(MERGE_CANDLES, aroundStoredCandles(query)),
    ]);
    return withSupply(ofSwaps, stored, Math.max(intervalMs, BASE_CANDLE_MS));
  }

  /** The last stored candle that opened before `beforeMs`. */
  async lastBefore(scope: Address, beforeMs: number): Promise<Candle | null> {
    const [row] = await this.lane.rows<CandleRow>(LAST_CANDLE, {
      epoch: this.visible.epoch,
      scope,
      before: beforeMs,
    });
    return row === undefined ? null : toCandle(row, scope);
  }

  /** The newest organic swaps before `beforeMs` that set the price of the scope, newest first. */
  async organicSwapsBefore(
    scope: Address,
    beforeMs: number,
    limit: number,
  ): Promise<readonly PricedSwap[]> {
    const params = { epoch: this.visible.epoch, scope, before: beforeMs, limit };
    const rows = await this.lane.rows<SwapRow>(LAST_ORGANIC_SWAPS, params);
    return rows.map(toPricedSwap);
  }

  /**
   * Swaps of a pool, or of all pools of a mint, with their current labels, in no order. Fields that
   * candles do not need, such as reserves, fees and router details, are null.
   */
  async swaps(scope: Address, fromMs: number, toMs: number): Promise<readonly PricedSwap[]> {
    const params = { epoch: this.visible.epoch, scope, from: fromMs, to: toMs };
    const rows = await this.lane.rows<SwapRow>(SWAPS_IN_RANGE, params);
    return rows.map(toPricedSwap);
  }

  private async select(sql: string, query: CandleRangeQuery): Promise<Candle[]> {
    const rows = await this.lane.rows<CandleRow>(sql, {
      epoch: this.visible.epoch,
      scope: query.scope,
      from: query.fromMs,
      to: query.toMs,
      interval: query.intervalMs,
    });
    return rows.map((row) => toCandle(row, query.scope));
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

function toCandle(row: CandleRow, scope: Address): Candle {
  return {
    scope,
    openTimeMs: Number(row.open_ms),
    quote: toPrices(row.quote_o, row.quote_h, row.quote_l, row.quote_c),
    usd: toPrices(row.usd_o, row.usd_h, row.usd_l, row.usd_c),
    baseVolumeRaw: BigInt(row.base_volume) as RawAmount,
    quoteVolumeRaw: BigInt(row.quote_volume) as RawAmount,
    volumeUsd: BigInt(row.dollars) as UsdNano,
    pricedBaseVolumeRaw: BigInt(row.priced_base) as RawAmount,
    baseDecimals: row.decimals,
    trades: Number(row.trade_count),
    buys: Number(row.buy_count),
    sells: Number(row.sell_count),
    supplyRaw: row.supply === null ? null : (BigInt(row.supply) as RawAmount),
    isFinal: row.finality,
    slot: Number(row.last_slot) as Slot,
  };
}

function toPrices(...prices: (string | null)[]): OpenHighLowClose | null {
  const [open, high, low, close] = prices.map((price) =>
    price === null ? null : (BigInt(price) as PriceE18),
  );
  if (open == null || high == null || low == null || close == null) return null;
  return { open, high, low, close };
}

import {
  BASE_CANDLE_MS,
  type Candle,
  type OpenHighLowClose,
} from '../../model/derived.ts';
import type { Address, PriceE18, RawAmount, Slot, UsdNano } from '../../model/units.ts';
import type { Lane } from '../lane.ts';
import type { VisibleEpoch } from '../visible-epoch.ts';

export interface CandleRangeQuery {
  /** A mint, or one of its pools. */
  readonly scope: Address;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** A multiple of 30 s, or a divisor of it: those are computed from the pool's swaps. */
  readonly intervalMs: number;
}

/** A candle as the engine answers: integers as text, null where it has none. */
interface CandleRow {
  readonly open_ms: string;
  readonly quote_o: string | null;
  readonly quote_h: string | null;
  readonly quote_l: string | null;
  readonly quote_c: string | null;
  readonly usd_o: string | null;
  readonly usd_h: string | null;
  readonly usd_l: string | null;
  readonly usd_c: string | null;
  readonly base_volume: string;
  readonly quote_volume: string;
  readonly dollars: string;
  readonly priced_base: string;
  readonly decimals: number;
  readonly trade_count: string;
  readonly buy_count: string;
  readonly sell_count: string;
  readonly supply: string | null;
  readonly finality: boolean;
  readonly last_slot: string;
}

/**
 * Open and close come from the first and last candle that has a price: argMin and argMax pass
 * over NULL. The supply is the last candle's, known or not, hence the tuple.
 */
const MERGED = `
  argMin(quote_open, open_time_ms) AS quote_o, max(quote_high) AS quote_h,
  min(quote_low) AS quote_l, argMax(quote_close, open_time_ms) AS quote_c,
  argMin(usd_open, open_time_ms) AS usd_o, max(usd_high) AS usd_h,
  min(usd_low) AS usd_l, argMax(usd_close, open_time_ms) AS usd_c,
  sum(base_volume_raw) AS base_volume, sum(quote_volume_raw) AS quote_volume,
  sum(volume_usd) AS dollars, sum(priced_base_volume_raw) AS priced_base,
  argMax(base_decimals, open_time_ms) AS decimals,
  sum(trades) AS trade_count, sum(buys) AS buy_count, sum(sells) AS sell_count,
  argMax(tuple(supply_raw), open_time_ms).1 AS supply,
  argMax(is_final, open_time_ms) AS finality, max(candles.slot) AS last_slot`;

const FROM_BASE = `
SELECT intDiv(open_time_ms, {interval:Int64}) * {interval:Int64} AS open_ms, ${MERGED}
FROM candles FINAL
WHERE epoch = {epoch:UInt32} AND scope = {scope:String}
  AND open_time_ms >= {from:Int64} AND open_time_ms < {to:Int64}
GROUP BY open_ms ORDER BY open_ms
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/**
 * Finer than the stored candles. Supply and finality are those of the stored candle around, which
 * the swap's time names.
 */
const FROM_SWAPS = `
WITH
  (slot, tx_index, outer_ix, inner_ix) AS place,
  exclusion IS NULL AND price IS NOT NULL AS sets_price
SELECT intDiv(time_ms, {interval:Int64}) * {interval:Int64} AS open_ms,
  argMinIf(price, place, sets_price) AS quote_o, maxIf(price, sets_price) AS quote_h,
  minIf(price, sets_price) AS quote_l, argMaxIf(price, place, sets_price) AS quote_c,
  argMinIf(price_usd, place, sets_price) AS usd_o, maxIf(price_usd, sets_price) AS usd_h,
  minIf(price_usd, sets_price) AS usd_l, argMaxIf(price_usd, place, sets_price) AS usd_c,
  sum(abs(pool_base_delta)) AS base_volume, sum(abs(pool_quote_delta)) AS quote_volume
FROM swaps FINAL`;

const LAST_BEFORE = `
SELECT open_time_ms AS open_ms,
  quote_open AS quote_o, quote_high AS quote_h, quote_low AS quote_l, quote_close AS quote_c,
  usd_open AS usd_o, usd_high AS usd_h, usd_low AS usd_l, usd_close AS usd_c,
  base_volume_raw AS base_volume, quote_volume_raw AS quote_volume, volume_usd AS dollars,
  priced_base_volume_raw AS priced_base, base_decimals AS decimals, trades AS trade_count,
  buys AS buy_count, sells AS sell_count, supply_raw AS supply, is_final AS finality,
  slot AS last_slot
FROM candles
WHERE epoch = {epoch:UInt32} AND scope = {scope:String} AND open_time_ms < {before:Int64}
ORDER BY open_time_ms DESC, version DESC LIMIT 1`;

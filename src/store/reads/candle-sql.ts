/**
 * The SQL of candles. Every statement returns rows of the shape CandleRow, with names that no
 * column has: an alias that hides a column would also be used inside the aggregates.
 */
export interface CandleRow {
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
  readonly trade_count: string | number;
  readonly buy_count: string | number;
  readonly sell_count: string | number;
  readonly supply: string | null;
  readonly finality: boolean;
  readonly last_slot: string;
}

/**
 * Stored candles merged to a coarser interval. Open and close are those of the first and last
 * candle that has a price, since argMin and argMax skip NULL. The supply is that of the last
 * candle, known or not, hence the tuple.
 */
export const MERGE_CANDLES = `
SELECT
  intDiv(open_time_ms, {interval:Int64}) * {interval:Int64} AS open_ms,
  argMin(quote_open, open_time_ms) AS quote_o, max(quote_high) AS quote_h,
  min(quote_low) AS quote_l, argMax(quote_close, open_time_ms) AS quote_c,
  argMin(usd_open, open_time_ms) AS usd_o, max(usd_high) AS usd_h,
  min(usd_low) AS usd_l, argMax(usd_close, open_time_ms) AS usd_c,
  sum(base_volume_raw) AS base_volume, sum(quote_volume_raw) AS quote_volume,
  sum(volume_usd) AS dollars, sum(priced_base_volume_raw) AS priced_base,
  argMin(base_decimals, open_time_ms) AS decimals,
  sum(trades) AS trade_count, sum(buys) AS buy_count, sum(sells) AS sell_count,
  argMax(tuple(supply_raw), open_time_ms).1 AS supply,
  min(is_final) AS finality, max(slot) AS last_slot
FROM candles FINAL
WHERE epoch = {epoch:UInt32} AND scope = {scope:String}
  AND open_time_ms >= {from:Int64} AND open_time_ms < {to:Int64}
GROUP BY open_ms
ORDER BY open_ms
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** The pools of a scope: the scope itself if it is a pool, and all pools of a mint. */
const POOLS_OF_SCOPE = `pool IN (
    SELECT {scope:String}
    UNION ALL
    SELECT pool FROM pools WHERE epoch = {epoch:UInt32} AND base_mint = {scope:String})`;

const SETS_USD = `exclusion IS NULL AND price_usd IS NOT NULL
    AND (pool = {scope:String} OR sets_token_price)`;

/**
 * Candles from the swaps of a pool, or of all pools of a mint. Prices of a mint are those of swaps
 * that set its price at their time. A mint has neither quote price nor quote volume, since its
 * pools may have different quotes. Supply and finality are added later from the stored candle
 * around each.
 */
const candlesFromSwaps = (condition: string) => `
WITH
  (time_ms, slot, tx_index, outer_ix, inner_ix) AS place,
  exclusion IS NULL AND price IS NOT NULL AND pool = {scope:String} AS sets_quote,
  ${SETS_USD} AS sets_usd,
  value_usd IS NOT NULL AS is_priced
SELECT
  intDiv(time_ms, {interval:Int64}) * {interval:Int64} AS open_ms,
  argMinIf(price, place, sets_quote) AS quote_o, maxIf(price, sets_quote) AS quote_h,
  minIf(price, sets_quote) AS quote_l, argMaxIf(price, place, sets_quote) AS quote_c,
  argMinIf(price_usd, place, sets_usd) AS usd_o, maxIf(price_usd, sets_usd) AS usd_h,
  minIf(price_usd, sets_usd) AS usd_l, argMaxIf(price_usd, place, sets_usd) AS usd_c,
  sum(abs(pool_base_delta)) AS base_volume,
  sumIf(abs(pool_quote_delta), pool = {scope:String}) AS quote_volume,
  sum(ifNull(value_usd, 0)) AS dollars,
  sumIf(abs(pool_base_delta), is_priced) AS priced_base,
  argMin(base_decimals, place) AS decimals,
  count() AS trade_count, countIf(side = 'buy') AS buy_count, countIf(side = 'sell') AS sell_count,
  CAST(NULL, 'Nullable(Int128)') AS supply, false AS finality, max(slot) AS last_slot
FROM swaps FINAL
WHERE epoch = {epoch:UInt32} AND time_ms >= {from:Int64} AND time_ms < {to:Int64}
  AND ifNull(exclusion, '') != 'quarantined' ${condition}
  AND ${POOLS_OF_SCOPE}
GROUP BY open_ms
ORDER BY open_ms
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** From all swaps: for intervals finer than the stored candles. */
export const CANDLES_FROM_SWAPS = candlesFromSwaps('');

/** From swaps of organic wallets, for every interval. */
export const CANDLES_FROM_ORGANIC_SWAPS = candlesFromSwaps('AND is_organic');

/** The newest organic swaps before a time that set the scope's price. */
export const LAST_ORGANIC_SWAPS = `
SELECT * EXCEPT (epoch, version)
FROM swaps FINAL
WHERE epoch = {epoch:UInt32} AND time_ms < {before:Int64} AND is_organic AND ${SETS_USD}
  AND ${POOLS_OF_SCOPE}
ORDER BY time_ms DESC, slot DESC, tx_index DESC, outer_ix DESC, inner_ix DESC
LIMIT {limit:UInt32}
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** The newest stored candle before a time, the newest of its unmerged versions first. */
export const LAST_CANDLE = `
SELECT
  open_time_ms AS open_ms,
  quote_open AS quote_o, quote_high AS quote_h, quote_low AS quote_l, quote_close AS quote_c,
  usd_open AS usd_o, usd_high AS usd_h, usd_low AS usd_l, usd_close AS usd_c,
  base_volume_raw AS base_volume, quote_volume_raw AS quote_volume, volume_usd AS dollars,
  priced_base_volume_raw AS priced_base, base_decimals AS decimals,
  trades AS trade_count, buys AS buy_count, sells AS sell_count,
  supply_raw AS supply, is_final AS finality, slot AS last_slot
FROM candles
WHERE epoch = {epoch:UInt32} AND scope = {scope:String} AND open_time_ms < {before:Int64}
ORDER BY epoch DESC, scope DESC, open_time_ms DESC, version DESC
LIMIT 1`;

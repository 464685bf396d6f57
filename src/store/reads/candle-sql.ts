import { IS_VISIBLE } from '../sql/visible-epoch.ts';
import { candleTable } from '../tables/candle-table.ts';
import { swapTable } from '../tables/swap-tables.ts';

/**
 * Stored candles merged to a coarser interval. Open and close are those of the first and last
 * candle that has a price, since argMin and argMax skip NULL. The supply is that of the last
 * candle, known or not, hence the tuple.
 */
export const MERGE_CANDLES = `
SELECT
  intDiv(open_time_ms, {interval:Int64}) * {interval:Int64} AS made_open_time_ms,
  argMin(quote_open, open_time_ms) AS made_quote_open, max(quote_high) AS made_quote_high,
  min(quote_low) AS made_quote_low, argMax(quote_close, open_time_ms) AS made_quote_close,
  argMin(usd_open, open_time_ms) AS made_usd_open, max(usd_high) AS made_usd_high,
  min(usd_low) AS made_usd_low, argMax(usd_close, open_time_ms) AS made_usd_close,
  sum(base_volume_raw) AS made_base_volume_raw, sum(quote_volume_raw) AS made_quote_volume_raw,
  sum(volume_usd) AS made_volume_usd, sum(priced_base_volume_raw) AS made_priced_base_volume_raw,
  sum(pricing_base_raw) AS made_pricing_base_raw, sum(pricing_usd) AS made_pricing_usd,
  argMin(base_decimals, open_time_ms) AS made_base_decimals,
  sum(trades) AS made_trades, sum(buys) AS made_buys, sum(sells) AS made_sells,
  argMax(tuple(supply_raw), open_time_ms).1 AS made_supply_raw,
  min(is_final) AS made_is_final, max(slot) AS made_slot
FROM candles FINAL
WHERE ${IS_VISIBLE} AND scope = {scope:String}
  AND open_time_ms >= {from:Int64} AND open_time_ms < {to:Int64}
GROUP BY made_open_time_ms
ORDER BY made_open_time_ms
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** The pools of a scope: the scope itself if it is a pool, and all pools of a mint. */
const POOLS_OF_SCOPE = `pool IN (
    SELECT {scope:String}
    UNION ALL
    SELECT pool FROM pools WHERE ${IS_VISIBLE} AND base_mint = {scope:String})`;

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
  intDiv(time_ms, {interval:Int64}) * {interval:Int64} AS made_open_time_ms,
  argMinIf(price, place, sets_quote) AS made_quote_open, maxIf(price, sets_quote) AS made_quote_high,
  minIf(price, sets_quote) AS made_quote_low, argMaxIf(price, place, sets_quote) AS made_quote_close,
  argMinIf(price_usd, place, sets_usd) AS made_usd_open, maxIf(price_usd, sets_usd) AS made_usd_high,
  minIf(price_usd, sets_usd) AS made_usd_low, argMaxIf(price_usd, place, sets_usd) AS made_usd_close,
  sum(abs(pool_base_delta)) AS made_base_volume_raw,
  sumIf(abs(pool_quote_delta), pool = {scope:String}) AS made_quote_volume_raw,
  sum(ifNull(value_usd, 0)) AS made_volume_usd,
  sumIf(abs(pool_base_delta), is_priced) AS made_priced_base_volume_raw,
  sumIf(abs(pool_base_delta), sets_usd AND is_priced) AS made_pricing_base_raw,
  sumIf(ifNull(value_usd, 0), sets_usd) AS made_pricing_usd,
  argMin(base_decimals, place) AS made_base_decimals,
  count() AS made_trades, countIf(side = 'buy') AS made_buys, countIf(side = 'sell') AS made_sells,
  CAST(NULL, 'Nullable(Int128)') AS made_supply_raw, false AS made_is_final, max(slot) AS made_slot
FROM swaps FINAL
WHERE ${IS_VISIBLE} AND time_ms >= {from:Int64} AND time_ms < {to:Int64}
  AND ifNull(exclusion, '') != 'quarantined' ${condition}
  AND ${POOLS_OF_SCOPE}
GROUP BY made_open_time_ms
ORDER BY made_open_time_ms
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** The same for a scope that is a pool: looking for pools of a mint takes half of the time. */
export function ofPool(sql: string): string {
  return sql.replace(POOLS_OF_SCOPE, 'pool = {scope:String}');
}

/** From all swaps: for intervals finer than the stored candles. */
export const CANDLES_FROM_SWAPS = candlesFromSwaps('');

/** From swaps of organic wallets, for every interval. */
export const CANDLES_FROM_ORGANIC_SWAPS = candlesFromSwaps('AND is_organic');

/** The newest organic swaps before a time that set the scope's price. */
export const LAST_ORGANIC_SWAPS = `
SELECT ${swapTable.columns.join(', ')}
FROM swaps FINAL
WHERE ${IS_VISIBLE} AND time_ms < {before:Int64} AND is_organic AND ${SETS_USD}
  AND ${POOLS_OF_SCOPE}
ORDER BY time_ms DESC, slot DESC, tx_index DESC, outer_ix DESC, inner_ix DESC
LIMIT {limit:UInt32}
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Swaps of a pool, or of all pools of a mint, in a time range. */
export const SWAPS_IN_RANGE = `
SELECT ${swapTable.columns.join(', ')}
FROM swaps FINAL
WHERE ${IS_VISIBLE} AND time_ms >= {from:Int64} AND time_ms < {to:Int64}
  AND ${POOLS_OF_SCOPE}
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** The newest stored candle with a price before a time: of each candle its newest version counts. */
export const LAST_CANDLE = `
SELECT ${candleTable.columns.join(', ')}
FROM (
  SELECT ${candleTable.columns.join(', ')}
  FROM candles
  WHERE ${IS_VISIBLE} AND scope = {scope:String} AND open_time_ms < {before:Int64}
  ORDER BY epoch DESC, scope DESC, open_time_ms DESC, version DESC
  LIMIT 1 BY scope, open_time_ms)
WHERE usd_close IS NOT NULL
LIMIT 1`;

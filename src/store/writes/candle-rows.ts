import type { Candle, OpenHighLowClose } from '../../model/derived.ts';
import { int128, int128OrNull, int256OrNull } from '../sql/cell.ts';
import type { RowWriter } from './row-writer.ts';

export const candleRows: RowWriter<Candle> = {
  table: 'candles',
  key: ({ scope, openTimeMs }) => `${scope}/${openTimeMs}`,
  columns: {
    scope: ({ scope }) => scope,
    open_time_ms: ({ openTimeMs }) => openTimeMs,
    quote_open: ({ quote }) => priceOf(quote, 'open'),
    quote_high: ({ quote }) => priceOf(quote, 'high'),
    quote_low: ({ quote }) => priceOf(quote, 'low'),
    quote_close: ({ quote }) => priceOf(quote, 'close'),
    usd_open: ({ usd }) => priceOf(usd, 'open'),
    usd_high: ({ usd }) => priceOf(usd, 'high'),
    usd_low: ({ usd }) => priceOf(usd, 'low'),
    usd_close: ({ usd }) => priceOf(usd, 'close'),
    base_volume_raw: (candle) => int128(candle.baseVolumeRaw, 'candles.base_volume_raw'),
    quote_volume_raw: (candle) => int128(candle.quoteVolumeRaw, 'candles.quote_volume_raw'),
    volume_usd: (candle) => int128(candle.volumeUsd, 'candles.volume_usd'),
    priced_base_volume_raw: (candle) =>
      int128(candle.pricedBaseVolumeRaw, 'candles.priced_base_volume_raw'),
    base_decimals: ({ baseDecimals }) => baseDecimals,
    trades: ({ trades }) => trades,
    buys: ({ buys }) => buys,
    sells: ({ sells }) => sells,
    supply_raw: ({ supplyRaw }) => int128OrNull(supplyRaw, 'candles.supply_raw'),
    is_final: ({ isFinal }) => isFinal,
    slot: ({ slot }) => slot,
  },
};

/** All four prices of a candle are stored, or none: `high` decides whether they fit. */
function priceOf(prices: OpenHighLowClose | null, name: keyof OpenHighLowClose): string | null {
  return prices === null || int256OrNull(prices.high) === null ? null : String(prices[name]);
}

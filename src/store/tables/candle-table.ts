import type { Candle, OpenHighLowClose } from '../../model/derived.ts';
import { type Address, asRawAmount, asUsdNano } from '../../model/units.ts';
import { int256TextOrNull } from '../sql/cell.ts';
import { type Columns, flag, int128, numeric, orNull, price, slot, text } from '../sql/columns.ts';
import { allOrNone, describeTable, record } from '../sql/table.ts';

/** All four prices of a candle are stored, or none: `high` decides whether they fit. */
function prices(unit: 'quote' | 'usd'): Columns<OpenHighLowClose | null> {
  const columns = record<OpenHighLowClose>({
    open: price(`${unit}_open`),
    high: price(`${unit}_high`),
    low: price(`${unit}_low`),
    close: price(`${unit}_close`),
  });
  return allOrNone(columns, ({ high }) => int256TextOrNull(high) !== null);
}

const figures = {
  openTimeMs: numeric('open_time_ms'),
  quote: prices('quote'),
  usd: prices('usd'),
  baseVolumeRaw: int128('base_volume_raw', asRawAmount),
  quoteVolumeRaw: int128('quote_volume_raw', asRawAmount),
  volumeUsd: int128('volume_usd', asUsdNano),
  pricedBaseVolumeRaw: int128('priced_base_volume_raw', asRawAmount),
  baseDecimals: numeric('base_decimals'),
  trades: numeric('trades'),
  buys: numeric('buys'),
  sells: numeric('sells'),
  supplyRaw: orNull(int128('supply_raw', asRawAmount)),
  isFinal: flag('is_final'),
  slot: slot('slot'),
};

/** A candle without its scope. */
const figureColumns = record<Omit<Candle, 'scope'>>(figures);
const candleColumns = record<Candle>({ scope: text<Address>('scope'), ...figures });

export const candleTable = describeTable<Candle>({
  name: 'candles',
  key: ({ scope, openTimeMs }) => `${scope}/${openTimeMs}`,
  columns: candleColumns,
});

export const toCandle = candleColumns.reader();

/**
 * For queries that make candles of a scope: their rows have the columns of the table, each with the
 * prefix `made_`. An alias that hides a column would also be used inside the aggregates.
 */
export const toMadeCandle = figureColumns.reader('made_');

import type { Candle, OpenHighLowClose } from '../../model/derived.ts';
import { asRawAmount, asUsdNano } from '../../model/units.ts';
import { int256TextOrNull } from '../sql/cell.ts';
import { type Columns, flag, int128, numeric, orNull, price, slot, text } from '../sql/columns.ts';
import { allOrNone, columnsOfRecord, describeTable } from '../sql/table.ts';

/** All four prices of a candle are stored, or none: `high` decides whether they fit. */
function prices(unit: 'quote' | 'usd'): Columns<OpenHighLowClose | null> {
  const columns = columnsOfRecord<OpenHighLowClose>({
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
  pricingBaseRaw: int128('pricing_base_raw', asRawAmount),
  pricingUsd: int128('pricing_usd', asUsdNano),
  baseDecimals: numeric('base_decimals'),
  trades: numeric('trades'),
  buys: numeric('buys'),
  sells: numeric('sells'),
  supplyRaw: orNull(int128('supply_raw', asRawAmount)),
  isFinal: flag('is_final'),
  slot: slot('slot'),
};

export const candleTable = describeTable({
  name: 'candles',
  key: ({ scope, openTimeMs }: Candle) => `${scope}/${openTimeMs}`,
  columns: columnsOfRecord<Candle>({ scope: text('scope'), ...figures }),
});

/**
 * For queries that make the candles of one scope. Their rows have the columns of the table, each
 * with the prefix `made_`: an alias that hides a column would also be used inside the aggregates.
 */
export const toMadeCandle = columnsOfRecord<Omit<Candle, 'scope'>>(figures).reader('made_');

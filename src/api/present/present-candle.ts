import { Type } from 'typebox';
import { divide, formatFixed, formatTrimmed, mulDiv } from '../../lib/decimal.ts';
import type { Candle } from '../../model/derived.ts';
import {
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  USD_NANO_SCALE,
} from '../../model/units.ts';
import { CANDLE_INTERVALS } from '../parameters/candle-interval.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatPrice } from './format-wire.ts';
import { decimal, instant, nullable, usd } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

export type CandleMetric = 'price_usd' | 'marketcap_usd';

const USD_DIGITS = 2;

/**
 * A candle. Prices and vwap are in the metric's unit, volume always in USD. Prices are null if no
 * trade could set one; volume and vwap are null if less than 0.9 of the base volume has a known USD
 * value (METHODS §0.4); market caps are null if the supply is unknown.
 */
const CandleBody = wireRecord<Candle, CandleMetric>()({
  timestamp: [instant, 'openTimeMs', 'Start of the candle.'],
  open: [
    nullable(decimal),
    (candle, metric) => formatMetric(candle, metric, candle.usd?.open),
    'In the unit of the metric; null if no trade in the interval could set a price.',
  ],
  high: [
    nullable(decimal),
    (candle, metric) => formatMetric(candle, metric, candle.usd?.high),
    'In the unit of the metric.',
  ],
  low: [
    nullable(decimal),
    (candle, metric) => formatMetric(candle, metric, candle.usd?.low),
    'In the unit of the metric.',
  ],
  close: [
    nullable(decimal),
    (candle, metric) => formatMetric(candle, metric, candle.usd?.close),
    'In the unit of the metric.',
  ],
  volume: [
    nullable(usd),
    (candle) => (isPriced(candle) ? candle.volumeUsd : null),
    'Volume in US dollars; null if unknown.',
  ],
  vwap: [
    nullable(decimal),
    (candle, metric) => (isPriced(candle) ? formatVwap(candle, metric) : null),
    'Volume-weighted average price, in the unit of the metric.',
  ],
});

export const presentCandle = CandleBody.present;

function isPriced({ pricedBaseVolumeRaw, baseVolumeRaw }: Candle): boolean {
  return pricedBaseVolumeRaw * 10n >= baseVolumeRaw * 9n;
}

/** Market cap = price × supply net of burns, in USD. */
function formatMetric(
  { supplyRaw, baseDecimals }: Candle,
  metric: CandleMetric,
  price: PriceE18 | undefined,
): string | null {
  if (price === undefined) return null;
  if (metric === 'price_usd') return formatPrice(price);
  if (supplyRaw === null) return null;
  const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_DIGITS);
  return formatFixed(mulDiv(price, supplyRaw, scale, 'half-up'), USD_DIGITS);
}

/**
 * USD value of the priced trades per base token; null without priced trades or if it exceeds any
 * price.
 */
function formatVwap(candle: Candle, metric: CandleMetric): string | null {
  const { volumeUsd, pricedBaseVolumeRaw, supplyRaw, baseDecimals } = candle;
  if (pricedBaseVolumeRaw === 0n) return null;
  const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_NANO_SCALE);
  const price = mulDiv(volumeUsd, scale, pricedBaseVolumeRaw, 'half-up');
  if (price > PRICE_MAX) return null;
  if (metric === 'price_usd') return formatTrimmed(price, PRICE_SCALE);
  if (supplyRaw === null) return null;
  const divisor = pricedBaseVolumeRaw * powerOfTen(USD_NANO_SCALE - USD_DIGITS);
  return formatFixed(divide(volumeUsd * supplyRaw, divisor, 'half-up'), USD_DIGITS);
}

/** Body of the candles: one key, the requested interval (CONTRACT §2.4). */
export const OhlcBody = Type.Object(
  {
    timeframes: Type.Partial(
      Type.Object(
        Object.fromEntries(CANDLE_INTERVALS.map((name) => [name, Type.Array(CandleBody.schema)])),
      ),
      { description: 'One key: the requested interval.' },
    ),
  },
  {
    description: 'Candles, oldest first.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        timeframes: {
          '5m': [
            {
              timestamp: '2025-01-15T14:30:00.000Z',
              open: '0.000346289',
              high: '0.00035',
              low: '0.000346289',
              close: '0.000349',
              volume: '1284.47',
              vwap: '0.0003477',
            },
          ],
        },
      },
    ],
  },
);

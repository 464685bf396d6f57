import { Type } from 'typebox';
import { formatFixed, mulDiv } from '../../lib/decimal.ts';
import type { Candle } from '../../model/derived.ts';
import { PRICE_SCALE, type PriceE18, powerOfTen, type RawAmount } from '../../model/units.ts';
import { CANDLE_INTERVALS } from '../parameters/candle-interval.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { vwapOf } from './candle-vwap.ts';
import { formatPrice } from './format-wire.ts';
import { decimal, instant, nullable, usd } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

export type CandleMetric = 'price_usd' | 'marketcap_usd';

const USD_DIGITS = 2;

/**
 * A candle with prices. Prices and vwap are in the metric's unit, volume always in USD. The vwap is
 * that of the trades that set the prices, so it lies between low and high (CONTRACT §4.1). Volume is
 * null if less than 0.9 of the base volume has a known USD value (METHODS §0.4); market caps are
 * null if the supply is unknown.
 */
export const CandleBody = wireRecord<Candle, CandleMetric>()(
  {
    timestamp: [instant, 'openTimeMs', 'Start of the candle.'],
    open: [
      nullable(decimal),
      (candle, metric) => formatMetric(candle, metric, candle.usd?.open),
      'In the unit of the metric. If no trade in the interval could set a price, all prices are the ' +
        'last close.',
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
      (candle, metric) => formatVwap(candle, metric),
      'Volume-weighted average price of the trades that set the prices, in the unit of the metric.',
    ],
  },
  { title: 'Candle' },
);

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
  return formatFixed(marketCapOf(price, supplyRaw, baseDecimals), USD_DIGITS);
}

function marketCapOf(price: PriceE18, supplyRaw: RawAmount, baseDecimals: number): bigint {
  const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_DIGITS);
  return mulDiv(price, supplyRaw, scale, 'half-up');
}

/**
 * Null without trades. The market cap is that of the vwap in USD, rounded as those of low and high
 * are, so it lies between them as well.
 */
function formatVwap(candle: Candle, metric: CandleMetric): string | null {
  const { usd } = candle;
  if (usd === null || candle.trades === 0) return null;
  return formatMetric(candle, metric, vwapOf({ ...candle, usd }) ?? undefined);
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

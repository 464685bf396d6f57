import { Type } from 'typebox';
import { divide, formatFixed, formatTrimmed, mulDiv } from '../../lib/decimal.ts';
import type { Candle } from '../../model/derived.ts';
import {
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type RawAmount,
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
 * Value per base token of the trades that set the prices; the close where none did, null without
 * trades. Limited to the
 * candle's range, which rounded values of tiny trades may leave.
 */
function formatVwap(candle: Candle, metric: CandleMetric): string | null {
  const { usd, pricingUsd, pricingBaseRaw, supplyRaw, baseDecimals } = candle;
  if (usd === null) return null;
  if (candle.trades === 0) return null;
  if (pricingBaseRaw === 0n) return formatMetric(candle, metric, usd.close);
  if (metric === 'price_usd') {
    const scale = powerOfTen(baseDecimals + PRICE_SCALE - USD_NANO_SCALE);
    const price = mulDiv(pricingUsd, scale, pricingBaseRaw, 'half-up');
    return formatTrimmed(within(price, usd.low, usd.high), PRICE_SCALE);
  }
  if (supplyRaw === null) return null;
  const divisor = pricingBaseRaw * powerOfTen(USD_NANO_SCALE - USD_DIGITS);
  const marketCap = divide(pricingUsd * supplyRaw, divisor, 'half-up');
  const [low, high] = [usd.low, usd.high].map((price) =>
    marketCapOf(price, supplyRaw, baseDecimals),
  ) as [bigint, bigint];
  return formatFixed(within(marketCap, low, high), USD_DIGITS);
}

function within(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
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

import type { ChartCandle } from '../../../charts/candle-chart.tsx';

export const INTERVALS = [
  '1s',
  '5s',
  '15s',
  '30s',
  '1m',
  '5m',
  '15m',
  '30m',
  '1h',
  '4h',
  '1d',
] as const;
export type Interval = (typeof INTERVALS)[number];

export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  '1s': 1_000,
  '5s': 5_000,
  '15s': 15_000,
  '30s': 30_000,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** A candle of `/v1/market/ohlc`. */
export interface ApiCandle {
  readonly timestamp: string;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string | null;
}

export function toCandle({ timestamp, open, high, low, close, volume }: ApiCandle): ChartCandle {
  return { timeMs: Date.parse(timestamp), open, high, low, close, volume };
}

/** Candles in which those from `fromMs` on are replaced by newer answers. */
export function replaceFrom(
  candles: readonly ChartCandle[],
  fromMs: number,
  newer: readonly ChartCandle[],
): readonly ChartCandle[] {
  const before = candles.filter(({ timeMs }) => timeMs < fromMs);
  return [...before, ...newer.filter(({ timeMs }) => timeMs >= fromMs)];
}

/** Candles with older ones before them. */
export function withOlder(
  candles: readonly ChartCandle[],
  older: readonly ChartCandle[],
): readonly ChartCandle[] {
  const first = candles[0]?.timeMs ?? Number.POSITIVE_INFINITY;
  return [...older.filter(({ timeMs }) => timeMs < first), ...candles];
}

/** From this factor between prices on, all but the highest are a line at the bottom of a chart. */
const WIDE_FACTOR = 50;

/** Whether the prices span so many times their least that equal steps hide most of them. */
export function isWideRange(candles: readonly ChartCandle[]): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const candle of candles) {
    if (candle.low === null || candle.high === null) continue;
    low = Math.min(low, Number(candle.low));
    high = Math.max(high, Number(candle.high));
  }
  return high >= WIDE_FACTOR * low;
}

/** An interval that shows the life of a token in some hundreds of candles at most. */
export function intervalForAge(ageMs: number | null): Interval {
  if (ageMs === null) return '5m';
  const shown = INTERVALS.find((interval) => ageMs / INTERVAL_MS[interval] <= 240);
  return shown ?? '1d';
}

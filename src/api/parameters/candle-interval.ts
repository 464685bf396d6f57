/** Candle intervals by wire name, in milliseconds. */
export const INTERVAL_MS = {
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
} as const;

export type CandleInterval = keyof typeof INTERVAL_MS;

export const CANDLE_INTERVALS = Object.keys(INTERVAL_MS) as CandleInterval[];

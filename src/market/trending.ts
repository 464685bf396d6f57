const HOUR_MS = 3_600_000;
/** Fewer distinct buyers in the last hour could be one person. */
const BUYERS_MIN = 10;
/** Added to both sides: growth from nothing to a few dollars is no trend. */
const FLOOR_USD = 1_000;
const PAST_HOURS_MAX = 23;
const NANO = 1e9;

export interface TrendingFigures {
  /** Organic volume of the last hour and of the last 24, in nano-dollars; null while unknown. */
  readonly hourNano: number | null;
  readonly dayNano: number | null;
  /** Distinct wallets that bought in the last hour. */
  readonly buyers: number;
  readonly createdAtMs: number | null;
  readonly nowMs: number;
}

/**
 * Growth of a token's organic volume over its own past: that of the last hour over the hourly mean
 * of the 23 hours before it, or of the token's life before it if that is shorter, each plus 1,000
 * dollars. 1 is no growth. Null with fewer than 10 buyers in the last hour, and while the volume is
 * unknown. Definition: docs/products/tokens.md.
 */
export function trendingOf({
  hourNano,
  dayNano,
  buyers,
  createdAtMs,
  nowMs,
}: TrendingFigures): number | null {
  if (hourNano === null || dayNano === null || buyers < BUYERS_MIN) return null;
  const lifeHours =
    createdAtMs === null ? PAST_HOURS_MAX : Math.floor((nowMs - createdAtMs) / HOUR_MS) - 1;
  const pastHours = Math.min(PAST_HOURS_MAX, Math.max(1, lifeHours));
  const pastUsd = (dayNano - hourNano) / NANO / pastHours;
  return (hourNano / NANO + FLOOR_USD) / (pastUsd + FLOOR_USD);
}

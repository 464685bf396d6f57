import type { Window } from './market-query.ts';

const MINUTE_MS = 60_000;

const WINDOW_MS: Readonly<Record<Window, number>> = {
  '5m': 5 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '6h': 360 * MINUTE_MS,
  '24h': 1_440 * MINUTE_MS,
};

const INTERVALS = [
  { interval: '15s', stepMs: 15_000 },
  { interval: '1m', stepMs: MINUTE_MS },
  { interval: '5m', stepMs: 5 * MINUTE_MS },
  { interval: '30m', stepMs: 30 * MINUTE_MS },
] as const;
type Interval = (typeof INTERVALS)[number];

/** Steps that a line has at most: a pixel of its width for each. */
const STEPS_MAX = 72;
const STEPS_MIN = 2;
/** From here on prices are drawn by their logarithm, as those of candles. */
const SPREAD_MAX = 50;
const RENEW_MIN_MS = 30_000;

/** The candles of a line: at most 72. */
export interface Spacing {
  readonly interval: Interval['interval'];
  readonly stepMs: number;
  readonly steps: number;
  /** After this time there is something new to draw. */
  readonly renewMs: number;
}

/**
 * The candles that cover a window, or the life of a younger token, with as short an interval as fits.
 * Times since 1970; null where they are not known.
 */
export function spacingOf(window: Window, createdMs: number | null, nowMs: number | null): Spacing {
  const ageMs = createdMs === null || nowMs === null ? Number.POSITIVE_INFINITY : nowMs - createdMs;
  const spanMs = Math.min(WINDOW_MS[window], ageMs);
  const fits = ({ stepMs }: Interval) => spanMs <= stepMs * STEPS_MAX;
  const [, , , longest] = INTERVALS;
  const { interval, stepMs } = INTERVALS.find(fits) ?? longest;
  const steps = Math.max(STEPS_MIN, Math.ceil(spanMs / stepMs));
  return { interval, stepMs, steps, renewMs: Math.max(RENEW_MIN_MS, stepMs) };
}

/** The last prices among closing prices; null if fewer than two are known. */
export function toLine(
  closes: readonly (string | null)[],
  steps: number,
): readonly number[] | null {
  const prices = closes
    .slice(-steps)
    .flatMap((close) => (close === null ? [] : [Number(close)]))
    .filter((price) => price > 0);
  return prices.length < STEPS_MIN ? null : prices;
}

/** Heights of prices: a logarithm where they span fifty times their least, so that all are seen. */
export function heightsOf(prices: readonly number[]): readonly number[] {
  const isWide = Math.max(...prices) > SPREAD_MAX * Math.min(...prices);
  return isWide ? prices.map(Math.log) : prices;
}

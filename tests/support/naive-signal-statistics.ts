import type { Outcome, Signal } from '../../src/model/signal.ts';
import type { SignalQuery } from '../../src/model/signal-listing.ts';

/** A signal or a random minute with its outcome. */
export interface NaiveRow {
  readonly signal: Signal;
  readonly outcome: Outcome;
}

const DAY_MS = 86_400_000;

/**
 * METHODS §6.4 taken literally: fractions of integers, searched instead of computed where possible.
 */
export function naiveStatistics(all: readonly NaiveRow[], { fromMs, toMs, model }: SignalQuery) {
  const rows = all.filter(
    ({ signal }) =>
      signal.createdAtMs >= fromMs &&
      signal.createdAtMs <= toMs &&
      signal.model !== 'random_minute' &&
      (model === null || signal.model === model),
  );
  const roi = rows.map(({ outcome }) => outcome.roiE9);
  const drawdown = rows.map(({ outcome }) => outcome.maxDrawdownE9);
  const center = (values: readonly bigint[]) => ({ mean: mean(values), median: median(values) });
  const names = [...new Set(rows.map(({ signal }) => signal.model))];
  const models = names.map((name) => {
    const own = rows.filter(({ signal }) => signal.model === name);
    const rois = own.map(({ outcome }) => outcome.roiE9);
    return {
      model: name,
      count: own.length,
      meanRoiE9: mean(rois),
      medianRoiE9: median(rois),
      meanDrawdownE9: mean(own.map(({ outcome }) => outcome.maxDrawdownE9)),
    };
  });
  const dates = [...new Set(rows.map(dateOf))].sort();
  return {
    count: rows.length,
    roi: summary(roi),
    drawdown: summary(drawdown),
    marketCap: center(rows.map(({ signal }) => signal.marketCapUsd)),
    athMarketCap: center(rows.map(({ outcome }) => outcome.athMarketCapUsd)),
    liquidity: center(rows.map(({ signal }) => signal.liquidityUsd)),
    models: models.sort(
      (one, other) => other.count - one.count || (one.model < other.model ? -1 : 1),
    ),
    days: dates.map((date) => {
      const own = rows.filter((row) => dateOf(row) === date);
      return { date, count: own.length, meanRoiE9: mean(own.map(({ outcome }) => outcome.roiE9)) };
    }),
  };
}

function dateOf({ signal }: NaiveRow): string {
  const day = new Date(Math.floor(signal.createdAtMs / DAY_MS) * DAY_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getUTCFullYear()}-${two(day.getUTCMonth() + 1)}-${two(day.getUTCDate())}`;
}

function summary(values: readonly bigint[]) {
  const sorted = sort(values);
  return {
    count: values.length,
    mean: mean(values),
    median: median(values),
    min: sorted[0] ?? 0n,
    max: sorted.at(-1) ?? 0n,
    deviation: deviation(values),
  };
}

/** Rounds half away from zero. */
function quotient(part: bigint, whole: bigint): bigint {
  const size = part < 0n ? -part : part;
  const rounded = (2n * size + whole) / (2n * whole);
  return part < 0n ? -rounded : rounded;
}

function mean(values: readonly bigint[]): bigint {
  if (values.length === 0) return 0n;
  let sum = 0n;
  for (const value of values) sum += value;
  return quotient(sum, BigInt(values.length));
}

function median(values: readonly bigint[]): bigint {
  if (values.length === 0) return 0n;
  const sorted = sort(values);
  const lower = sorted[Math.ceil(values.length / 2) - 1] ?? 0n;
  const upper = sorted[Math.floor(values.length / 2)] ?? 0n;
  return quotient(lower + upper, 2n);
}

/** The largest integer n with (n - 1/2)² not above the variance. */
function deviation(values: readonly bigint[]): bigint {
  const count = BigInt(values.length);
  if (count < 2n) return 0n;
  let sum = 0n;
  for (const value of values) sum += value;
  let squares = 0n;
  for (const value of values) squares += (count * value - sum) ** 2n;
  // Variance = squares / (count² (count - 1)).
  const scale = count * count * (count - 1n);
  let least = 0n;
  let most = 1n << 400n;
  while (most - least > 1n) {
    const middle = (least + most) / 2n;
    if ((2n * middle - 1n) ** 2n * scale <= 4n * squares) least = middle;
    else most = middle;
  }
  return least;
}

function sort(values: readonly bigint[]): readonly bigint[] {
  return [...values].sort((one, other) => (one < other ? -1 : Number(one > other)));
}

import { divide } from '../../lib/decimal.ts';
import {
  AVERAGED_FIGURES,
  type AveragedFigure,
  INDICATOR_MINUTE_MS,
  type IndicatorBucket,
  type IndicatorMinute,
  type IndicatorRecord,
} from '../../model/indicators.ts';
import { asUsdNano, type UsdNano } from '../../model/units.ts';
import { bucketStart } from '../market/candle-merge.ts';
import { type Shares, sharesOf } from './shares.ts';

export interface BucketOptions {
  /** Minutes before this count only as the value in force at the beginning of later ones. */
  readonly fromMs: number;
  readonly intervalMs: number;
  /** The figures of the last minute are in force until here, and at least for that minute. */
  readonly untilMs: number;
}

const FIGURES = Object.keys(AVERAGED_FIGURES) as AveragedFigure[];

/**
 * Groups the stored minutes of a pool, oldest first, into buckets; buckets without a minute are
 * omitted. The values of a minute are in force until the next stored one. A mean weights each known
 * value by the time it is in force in the bucket. All other figures are as of the bucket's end.
 */
export function bucketIndicators(
  minutes: readonly IndicatorMinute[],
  { fromMs, intervalMs, untilMs }: BucketOptions,
): IndicatorBucket[] {
  // A one-minute bucket contains a single minute.
  if (intervalMs === INDICATOR_MINUTE_MS) {
    return minutes
      .filter(({ minuteMs }) => minuteMs >= fromMs)
      .map(({ minuteMs, record }) => ({ openMs: minuteMs, record }));
  }
  const buckets: OpenBucket[] = [];
  for (const [index, minute] of minutes.entries()) {
    const { minuteMs, record } = minute;
    if (minuteMs < fromMs) continue;
    const openMs = bucketStart(minuteMs, intervalMs);
    let bucket = buckets.at(-1);
    if (bucket?.openMs !== openMs) {
      bucket = new OpenBucket(openMs, record);
      buckets.push(bucket);
      const before = minutes[index - 1];
      if (before !== undefined) bucket.weigh(before.record, minuteMs - openMs);
    }
    const validToMs =
      minutes[index + 1]?.minuteMs ?? Math.max(untilMs, minuteMs + INDICATOR_MINUTE_MS);
    bucket.last = record;
    bucket.weigh(record, Math.min(validToMs, openMs + intervalMs) - minuteMs);
  }
  return buckets.map((bucket) => bucket.present());
}

/**
 * Replaces volumes and their ratios by those of the trades in each bucket. A trade counts by what its
 * trader was at the end of its slot. `before` is the last minute before the first bucket.
 */
export function withChanges(
  buckets: readonly IndicatorBucket[],
  before: IndicatorRecord | null,
): IndicatorBucket[] {
  let previous = before;
  return buckets.map(({ openMs, record }) => {
    const volumes = volumesBetween(previous, record);
    previous = record;
    return { openMs, record: { ...record, ...volumes } };
  });
}

type Volumes = Pick<
  IndicatorRecord,
  | 'totalVolumeUsd'
  | 'organicVolumeUsd'
  | 'organicVolumeRatio'
  | 'botVolumeRatio'
  | 'profitableVolume'
  | 'profitableVolumeTotalVolumeRatio'
>;

function volumesBetween(from: IndicatorRecord | null, to: IndicatorRecord): Volumes {
  const total = changeOf(from, to, 'totalVolumeUsd');
  const organic = changeOf(from, to, 'tradedOrganicUsd');
  const profitable = changeOf(from, to, 'tradedProfitableUsd');
  const organicShares = sharesBetween(organic, total);
  return {
    totalVolumeUsd: total,
    organicVolumeUsd: organic,
    organicVolumeRatio: organicShares?.part ?? null,
    botVolumeRatio: organicShares?.rest ?? null,
    profitableVolume: profitable,
    profitableVolumeTotalVolumeRatio: sharesBetween(profitable, total)?.part ?? null,
  };
}

function changeOf(
  from: IndicatorRecord | null,
  to: IndicatorRecord,
  figure: 'totalVolumeUsd' | 'tradedOrganicUsd' | 'tradedProfitableUsd',
): UsdNano | null {
  const before = from === null ? 0n : from[figure];
  const after = to[figure];
  return before === null || after === null ? null : asUsdNano(after - before);
}

/** Null where nothing was traded, or its value is unknown. */
function sharesBetween(part: UsdNano | null, whole: UsdNano | null): Shares | null {
  return part === null || whole === null || whole === 0n ? null : sharesOf(part, whole);
}

/** Mean from the sum of values times minutes, with the number of decimals of the figure. */
export function meanOf(figure: AveragedFigure, total: bigint, minutes: bigint): number | null {
  if (minutes === 0n) return null;
  return Number(divide(total, minutes, 'half-up')) / 10 ** AVERAGED_FIGURES[figure];
}

class OpenBucket {
  readonly openMs: number;
  last: IndicatorRecord;
  private readonly sums = new Map<AveragedFigure, { total: bigint; minutes: bigint }>();

  constructor(openMs: number, first: IndicatorRecord) {
    this.openMs = openMs;
    this.last = first;
    for (const figure of FIGURES) this.sums.set(figure, { total: 0n, minutes: 0n });
  }

  weigh(record: IndicatorRecord, durationMs: number): void {
    const minutes = BigInt(durationMs / INDICATOR_MINUTE_MS);
    for (const [figure, sum] of this.sums) {
      const value = record[figure];
      if (value === null) continue;
      sum.total += BigInt(Math.round(value * 10 ** AVERAGED_FIGURES[figure])) * minutes;
      sum.minutes += minutes;
    }
  }

  present(): IndicatorBucket {
    const means: Partial<Record<AveragedFigure, number | null>> = {};
    for (const [figure, { total, minutes }] of this.sums)
      means[figure] = meanOf(figure, total, minutes);
    return { openMs: this.openMs, record: { ...this.last, ...means } as IndicatorRecord };
  }
}

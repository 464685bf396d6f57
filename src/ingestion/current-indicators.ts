import { bucketIndicators, withChanges } from '../fold/indicators/indicator-buckets.ts';
import {
  INDICATOR_MINUTE_MS,
  type IndicatorBucket,
  type IndicatorMinute,
  type IndicatorRecord,
} from '../model/indicators.ts';
import type { Address, Slot } from '../model/units.ts';
import type { IndicatorBucketQuery, StoredIndicators } from '../store/reads/indicators.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/**
 * Indicators of pools over time up to the newest slot: stored ones merged with unwritten changes.
 * Returns what the database would return if everything folded were written.
 */
export class CurrentIndicators {
  private readonly stored: Pick<StoredIndicators, 'minutes' | 'lastBefore' | 'atSlot' | 'buckets'>;
  private readonly unwritten: UnwrittenRows;

  constructor(
    stored: Pick<StoredIndicators, 'minutes' | 'lastBefore' | 'atSlot' | 'buckets'>,
    unwritten: UnwrittenRows,
  ) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** Whole buckets of a range, oldest first, without those lacking a stored minute. */
  async history(query: IndicatorBucketQuery): Promise<readonly IndicatorBucket[]> {
    const changed = [...this.unwritten.indicators(query.pool).values()].sort(byTime);
    // Started concurrently with the range, which may not need it.
    const before = this.lastBefore(query.pool, query.fromMs, changed);
    const [buckets, last] = await Promise.all([this.buckets(query, changed, before), before]);
    return withChanges(buckets, last?.record ?? null);
  }

  /** The newest figures stored at or before a slot; null if there are none. */
  async atSlot(pool: Address, slot: Slot): Promise<IndicatorRecord | null> {
    const changed = [...this.unwritten.indicators(pool).values()].sort(byTime);
    const stored = await this.stored.atSlot(pool, slot);
    const recent = changed.filter(({ record }) => record.slot <= slot).at(-1) ?? null;
    return laterOf(stored, recent)?.record ?? null;
  }

  private async buckets(
    query: IndicatorBucketQuery,
    changed: readonly IndicatorMinute[],
    before: Promise<IndicatorMinute | null>,
  ): Promise<IndicatorBucket[]> {
    const cutMs = cutOf(query, changed);
    if (cutMs >= query.toMs) return await this.stored.buckets(query, await before);
    // Before the first change the database merges minutes; later ones are merged individually.
    const untilMs = Math.max(query.untilMs, cutMs);
    const settled =
      cutMs > query.fromMs
        ? this.stored.buckets({ ...query, toMs: cutMs, untilMs }, await before)
        : [];
    const [earlier, stored, carried] = await Promise.all([
      settled,
      this.stored.minutes({ ...query, fromMs: cutMs }),
      cutMs > query.fromMs ? this.lastBefore(query.pool, cutMs, changed) : before,
    ]);
    const newest = new Map(stored.map((minute) => [minute.minuteMs, minute]));
    for (const minute of changed) {
      if (minute.minuteMs >= cutMs && minute.minuteMs < query.toMs) {
        newest.set(minute.minuteMs, minute);
      }
    }
    const minutes = [...newest.values()].sort(byTime);
    const known = carried === null ? minutes : [carried, ...minutes];
    return [...earlier, ...bucketIndicators(known, { ...query, fromMs: cutMs })];
  }

  private async lastBefore(
    pool: Address,
    beforeMs: number,
    changed: readonly IndicatorMinute[],
  ): Promise<IndicatorMinute | null> {
    const recent = changed.filter(({ minuteMs }) => minuteMs < beforeMs).at(-1) ?? null;
    return laterOf(await this.stored.lastBefore(pool, beforeMs), recent);
  }
}

/** Start of the first bucket affected by a change; the end of the range if there is none. */
function cutOf(
  { fromMs, toMs, intervalMs }: IndicatorBucketQuery,
  changed: readonly IndicatorMinute[],
): number {
  if (intervalMs === INDICATOR_MINUTE_MS) return fromMs;
  const firstMs = changed[0]?.minuteMs ?? toMs;
  return Math.min(Math.max(Math.floor(firstMs / intervalMs) * intervalMs, fromMs), toMs);
}

function laterOf(
  stored: IndicatorMinute | null,
  changed: IndicatorMinute | null,
): IndicatorMinute | null {
  if (stored === null || changed === null) return stored ?? changed;
  return stored.minuteMs > changed.minuteMs ? stored : changed;
}

function byTime(one: IndicatorMinute, other: IndicatorMinute): number {
  return one.minuteMs - other.minuteMs;
}

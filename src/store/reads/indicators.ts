import { divide, parseDecimal } from '../../lib/decimal.ts';
import {
  AVERAGED_FIGURES,
  type AveragedFigure,
  type IndicatorBucket,
  type IndicatorMinute,
  type IndicatorRecord,
} from '../../model/indicators.ts';
import type { Address, Slot } from '../../model/units.ts';
import { numeric, orNull, type RowReader, text } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import { indicatorMinuteTable, momentColumns } from '../tables/indicator-tables.ts';
import {
  LAST_MINUTE_AT_SLOT,
  LAST_MINUTE_BEFORE,
  MINUTES_IN_BUCKETS,
  MINUTES_IN_RANGE,
} from './indicator-sql.ts';

export interface IndicatorRange {
  readonly pool: Address;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface IndicatorBucketQuery extends IndicatorRange {
  /** Whole minutes. The range must consist of whole buckets. */
  readonly intervalMs: number;
  /** The figures of the last minute hold until this time, and at least for that minute. */
  readonly untilMs: number;
}

/** The stored figures of pools by minute. */
export class StoredIndicators {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Oldest first. */
  minutes({ pool, fromMs, toMs }: IndicatorRange): Promise<IndicatorMinute[]> {
    return this.reads.all(MINUTES_IN_RANGE, indicatorMinuteTable.read, {
      pool,
      from: fromMs,
      to: toMs,
    });
  }

  /** The newest minute before a time. */
  lastBefore(pool: Address, beforeMs: number): Promise<IndicatorMinute | null> {
    const params = { pool, before: beforeMs };
    return this.reads.newest(LAST_MINUTE_BEFORE, indicatorMinuteTable.read, params, minuteMsOf);
  }

  /** The newest minute that was complete at a slot. */
  atSlot(pool: Address, slot: Slot): Promise<IndicatorMinute | null> {
    const params = { pool, slot };
    return this.reads.newest(LAST_MINUTE_AT_SLOT, indicatorMinuteTable.read, params, minuteMsOf);
  }

  /**
   * Minutes in buckets, oldest first, without empty buckets. Averaged figures are time-weighted
   * means; all others, including sums since the pool was created, are as of the end of the bucket.
   * `before` is the newest minute before the range.
   */
  async buckets(
    { pool, fromMs, toMs, intervalMs, untilMs }: IndicatorBucketQuery,
    before: IndicatorMinute | null,
  ): Promise<IndicatorBucket[]> {
    const params = {
      pool,
      from: before?.minuteMs ?? fromMs,
      first: fromMs,
      to: toMs,
      interval: intervalMs,
      until: untilMs,
    };
    return this.reads.all(MINUTES_IN_BUCKETS, toBucketOf(pool), params);
  }
}

const minuteMsOf = ({ minuteMs }: IndicatorMinute) => minuteMs;
const toOpenMs = numeric('open_ms').reader();
const toLastMoment = momentColumns.reader('last_');

/** Per averaged figure, its time-weighted sum as a decimal and the minutes in it. */
const means = Object.entries(AVERAGED_FIGURES).map(([figure, digits]) => ({
  figure: figure as AveragedFigure,
  digits,
  toSum: orNull(text(`${figure}_sum`)).reader(),
  toMinutes: numeric(`${figure}_minutes`).reader(),
}));

function toBucketOf(pool: Address): RowReader<IndicatorBucket> {
  return (row) => {
    const averaged: Partial<Record<AveragedFigure, number | null>> = {};
    for (const { figure, digits, toSum, toMinutes } of means) {
      averaged[figure] = meanOf(toSum(row), toMinutes(row), digits);
    }
    const record = { pool, ...toLastMoment(row), ...averaged } as IndicatorRecord;
    return { openMs: toOpenMs(row), record };
  };
}

function meanOf(sum: string | null, minutes: number, digits: number): number | null {
  const total = sum === null ? null : parseDecimal(sum, digits);
  if (total === null || minutes === 0) return null;
  return Number(divide(total, BigInt(minutes), 'half-up')) / 10 ** digits;
}

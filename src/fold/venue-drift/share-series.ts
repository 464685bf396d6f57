import type { CountedShare } from '../../model/venue-change.ts';
import {
  BUCKET_SLOTS,
  isAsBefore,
  isSuddenlyHigher,
  PAST_SPAN_BUCKETS,
  RECENT_BUCKETS,
  type RecentShare,
  shareOf,
} from './drift-rule.ts';

/** The counts of `BUCKET_SLOTS` consecutive slots. */
interface Bucket {
  /** Slot number divided by the bucket length, rounded down. */
  readonly index: number;
  hits: number;
  total: number;
  hitSlots: number;
  /** Null without a hit. */
  firstHitSlot: number | null;
}

/** The complete state of a series as plain values, for storage. */
export interface SeriesState {
  readonly recent: readonly (readonly [
    index: number,
    hits: number,
    total: number,
    hitSlots: number,
    firstHitSlot: number | null,
  ])[];
  /** Hits and total of the previous span, then of the current span. */
  readonly past: readonly [readonly [number, number], readonly [number, number]];
  /** Number of the current span. */
  readonly span: number;
  /** First slot of the alarm condition; null without an alarm. */
  readonly alarmSlot: number | null;
}

/**
 * One share of one program over time: the recent buckets and the sums of the past. Nothing is added
 * to the past during an alarm, so a faulty state does not become the baseline.
 */
export class ShareSeries {
  private readonly buckets: Bucket[];
  private older: CountedShare;
  private newer: CountedShare;
  private span: number;
  private alarm: number | null;

  constructor(state: SeriesState = EMPTY) {
    this.buckets = state.recent.map(([index, hits, total, hitSlots, firstHitSlot]) => ({
      index,
      hits,
      total,
      hitSlots,
      firstHitSlot,
    }));
    const [[olderHits, olderTotal], [newerHits, newerTotal]] = state.past;
    this.older = { hits: olderHits, total: olderTotal };
    this.newer = { hits: newerHits, total: newerTotal };
    this.span = state.span;
    this.alarm = state.alarmSlot;
  }

  get state(): SeriesState {
    const { older, newer, span } = this;
    return {
      recent: this.buckets.map(({ index, hits, total, hitSlots, firstHitSlot }) => [
        index,
        hits,
        total,
        hitSlots,
        firstHitSlot,
      ]),
      past: [
        [older.hits, older.total],
        [newer.hits, newer.total],
      ],
      span,
      alarmSlot: this.alarm,
    };
  }

  /** First slot of the alarm condition; null without an alarm. */
  get alarmSlot(): number | null {
    return this.alarm;
  }

  get recent(): RecentShare {
    let hits = 0;
    let total = 0;
    let hitSlots = 0;
    for (const bucket of this.buckets) {
      hits += bucket.hits;
      total += bucket.total;
      hitSlots += bucket.hitSlots;
    }
    return { hits, total, hitSlots };
  }

  get past(): CountedShare {
    const { older, newer } = this;
    return { hits: older.hits + newer.hits, total: older.total + newer.total };
  }

  /** Counts a slot. Slots must be added in ascending order. */
  add(slot: number, { hits, total }: CountedShare): void {
    if (total === 0) return;
    const index = Math.floor(slot / BUCKET_SLOTS);
    let bucket = this.buckets.at(-1);
    if (bucket?.index !== index) {
      bucket = { index, hits: 0, total: 0, hitSlots: 0, firstHitSlot: null };
      this.buckets.push(bucket);
    }
    bucket.hits += hits;
    bucket.total += total;
    if (hits === 0) return;
    bucket.hitSlots++;
    bucket.firstHitSlot ??= slot;
  }

  /**
   * Evaluates the recent buckets. All slots before this bucket must have been counted. Returns
   * whether an alarm began or ended, or null.
   */
  judge(bucketIndex: number): 'began' | 'ended' | null {
    const oldest = bucketIndex - RECENT_BUCKETS;
    while (this.buckets.length > 0 && (this.buckets[0] as Bucket).index < oldest) {
      this.retire(this.buckets.shift() as Bucket);
    }
    const { recent, past } = this;
    if (this.alarm === null) {
      if (!isSuddenlyHigher(recent, past)) return null;
      this.alarm = this.firstSlotAbove(shareOf(past));
      return 'began';
    }
    if (!isAsBefore(recent, past)) return null;
    this.alarm = null;
    return 'ended';
  }

  private retire({ index, hits, total }: Bucket): void {
    if (this.alarm !== null) return;
    const span = Math.floor(index / PAST_SPAN_BUCKETS);
    if (span > this.span) {
      this.older = span === this.span + 1 ? this.newer : NONE;
      this.newer = NONE;
      this.span = span;
    }
    this.newer = { hits: this.newer.hits + hits, total: this.newer.total + total };
  }

  private firstSlotAbove(share: number): number {
    const above = this.buckets.find((bucket) => bucket.hits > 0 && shareOf(bucket) > share);
    return above?.firstHitSlot ?? 0;
  }
}

const NONE: CountedShare = { hits: 0, total: 0 };
const EMPTY: SeriesState = {
  recent: [],
  past: [
    [0, 0],
    [0, 0],
  ],
  span: 0,
  alarmSlot: null,
};

import { type MetricSample, sumOf } from './parse-metrics.ts';

/** What was measured at a time; null where it is not known, which leaves a gap in a line. */
export interface SeriesPoint {
  readonly timeMs: number;
  /** Of the newest slot behind the chain; null for a service that follows none. */
  readonly lagSeconds: number | null;
  /** Since the point before. */
  readonly slotsPerSecond: number | null;
  readonly memoryBytes: number | null;
}

const HOUR_MS = 3_600_000;
/** Nothing is known between points that are further apart, as while another page was open. */
const GAP_MS = 20_000;

/** The figures of the last hour, in the memory of the page: the service keeps no history of them. */
export class SeriesMemory {
  /** Oldest first. Another array after each change. */
  points: readonly SeriesPoint[] = [];
  private slots: { readonly count: number; readonly timeMs: number } | null = null;

  /** Samples of a time that is not after the newest point, as after a clock was set back, are left out. */
  add(samples: readonly MetricSample[], timeMs: number): void {
    if (timeMs <= (this.points.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY)) return;
    const count = sumOf(samples, 'mintscope_slots_total');
    const point: SeriesPoint = {
      timeMs,
      lagSeconds: sumOf(samples, 'mintscope_source_lag_seconds'),
      slotsPerSecond: this.rateOf(count, timeMs),
      memoryBytes: sumOf(samples, 'process_resident_memory_bytes'),
    };
    this.slots = count === null ? null : { count, timeMs };
    const last = this.points.at(-1);
    const isGap = last !== undefined && timeMs - last.timeMs > GAP_MS;
    const gap = isGap ? [{ ...UNKNOWN, timeMs: last.timeMs + 1 }] : [];
    this.points = [...this.points, ...gap, point].filter((one) => one.timeMs > timeMs - HOUR_MS);
  }

  /** Null for the first point, after a gap, and after a restart, which counts from 0 again. */
  private rateOf(count: number | null, timeMs: number): number | null {
    const before = this.slots;
    if (count === null || before === null || count < before.count) return null;
    const durationMs = timeMs - before.timeMs;
    if (durationMs <= 0 || durationMs > GAP_MS) return null;
    return (1_000 * (count - before.count)) / durationMs;
  }
}

const UNKNOWN = { lagSeconds: null, slotsPerSecond: null, memoryBytes: null } as const;

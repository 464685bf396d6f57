import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import {
  type CountedShare,
  DRIFT_MEASURES,
  type DriftMeasure,
  type VenueAlarm,
  type VenueChange,
} from '../../model/venue-change.ts';
import { DriftExamples, type ExamplesState } from './drift-examples.ts';
import { BUCKET_SLOTS, PAST_SPAN_BUCKETS } from './drift-rule.ts';
import { type SeriesState, ShareSeries } from './share-series.ts';
import { countSlotShares, measureOf, type SlotCounts } from './slot-counts.ts';

/** A program not called for two past spans is removed together with its alarms. */
const FORGOTTEN_SLOTS = 2 * PAST_SPAN_BUCKETS * BUCKET_SLOTS;

interface Tracked {
  lastSlot: number;
  readonly series: Readonly<Record<DriftMeasure, ShareSeries>>;
  readonly examples: Readonly<Record<DriftMeasure, DriftExamples>>;
}

export interface TrackedState {
  readonly lastSlot: number;
  readonly series: Readonly<Record<DriftMeasure, SeriesState>>;
  readonly examples: Readonly<Record<DriftMeasure, ExamplesState>>;
}

/** The complete state of a tracker as plain values. A tracker created from it continues exactly. */
export interface DriftState {
  /** -1 before the first slot. */
  readonly lastSlot: number;
  readonly programs: Readonly<Record<string, TrackedState>>;
}

/** One share of one program, for metrics. */
export interface DriftShare {
  readonly program: string;
  readonly measure: DriftMeasure;
  readonly recent: CountedShare;
  readonly past: CountedShare;
  readonly isAlarmed: boolean;
}

/**
 * Tracks the share of each program's input that cannot be decoded, and reports a sudden increase
 * (drift-rule.ts). Counts only final slots, each once, in ascending order; a slot at or before the
 * last one counted is ignored. Windows are measured in slots, so the same slots give the same
 * alarms. Keeps one record of bounded size for each program called within the last day.
 */
export class DriftTracker {
  private readonly programs = new Map<string, Tracked>();
  private last: number;

  constructor(state: DriftState = { lastSlot: -1, programs: {} }) {
    this.last = state.lastSlot;
    for (const [program, tracked] of Object.entries(state.programs)) {
      this.programs.set(program, restored(tracked));
    }
  }

  get lastSlot(): number {
    return this.last;
  }

  get state(): DriftState {
    const programs = [...this.programs].map(([program, { lastSlot, series, examples }]) => [
      program,
      {
        lastSlot,
        series: byMeasure((measure) => series[measure].state),
        examples: byMeasure((measure) => examples[measure].state),
      },
    ]);
    return { lastSlot: this.last, programs: Object.fromEntries(programs) };
  }

  /**
   * Counts the next final slot; `timeMs` is its block time. Returns the alarms that began or ended
   * because of earlier slots.
   */
  take(facts: SlotFacts, timeMs: number | null): readonly VenueChange[] {
    const { slot } = facts;
    if (slot <= this.last) return [];
    const changes = this.isNewBucket(slot) ? this.judge(slot, timeMs) : [];
    this.last = slot;
    this.count(slot, countSlotShares(facts));
    for (const problem of facts.problems) {
      const measure = measureOf(problem);
      const tracked = measure === null ? undefined : this.programs.get(problem.program ?? '');
      if (measure === null || tracked === undefined) continue;
      const { reason: what, signature } = problem;
      tracked.examples[measure].add({ what, slot, signature });
    }
    return changes;
  }

  /** Active alarms, sorted by program. */
  get alarms(): readonly VenueAlarm[] {
    const alarms: VenueAlarm[] = [];
    for (const [program, tracked] of this.programs) {
      for (const measure of DRIFT_MEASURES) {
        const sinceSlot = tracked.series[measure].alarmSlot;
        if (sinceSlot !== null) alarms.push(alarmOf(program, tracked, measure, sinceSlot));
      }
    }
    return alarms.sort((one, other) => (one.program < other.program ? -1 : 1));
  }

  /** The shares of every tracked program. */
  get shares(): readonly DriftShare[] {
    return [...this.programs].flatMap(([program, { series }]) =>
      DRIFT_MEASURES.map((measure) => {
        const { recent, past, alarmSlot } = series[measure];
        return { program, measure, recent, past, isAlarmed: alarmSlot !== null };
      }),
    );
  }

  private isNewBucket(slot: number): boolean {
    return this.last >= 0 && bucketOf(slot) > bucketOf(this.last);
  }

  private count(slot: Slot, counts: SlotCounts): void {
    for (const [program, shares] of counts) {
      const tracked = this.programs.get(program) ?? restored(null);
      this.programs.set(program, tracked);
      tracked.lastSlot = slot;
      for (const measure of DRIFT_MEASURES) tracked.series[measure].add(slot, shares[measure]);
    }
  }

  private judge(slot: Slot, timeMs: number | null): readonly VenueChange[] {
    const changes: VenueChange[] = [];
    for (const [program, tracked] of this.programs) {
      const isForgotten = slot - tracked.lastSlot > FORGOTTEN_SLOTS;
      for (const measure of DRIFT_MEASURES) {
        const series = tracked.series[measure];
        const { alarmSlot } = series;
        // `judge` clears the slot when the alarm ends; the report still needs it.
        const kind = isForgotten && alarmSlot !== null ? 'ended' : series.judge(bucketOf(slot));
        if (kind === null) continue;
        const sinceSlot = alarmSlot ?? series.alarmSlot ?? slot;
        changes.push({ kind, slot, timeMs, alarm: alarmOf(program, tracked, measure, sinceSlot) });
      }
      if (isForgotten) this.programs.delete(program);
    }
    return changes;
  }
}

function alarmOf(
  program: string,
  { series, examples }: Tracked,
  measure: DriftMeasure,
  sinceSlot: number,
): VenueAlarm {
  const { recent, past } = series[measure];
  return {
    program,
    measure,
    sinceSlot: asSlot(sinceSlot),
    recent: { hits: recent.hits, total: recent.total },
    past,
    examples: examples[measure].since(sinceSlot),
  };
}

function restored(state: TrackedState | null): Tracked {
  return {
    lastSlot: state?.lastSlot ?? -1,
    series: byMeasure((measure) => new ShareSeries(state?.series[measure])),
    examples: byMeasure((measure) => new DriftExamples(state?.examples[measure])),
  };
}

function byMeasure<Value>(make: (measure: DriftMeasure) => Value): Record<DriftMeasure, Value> {
  return {
    unknown: make('unknown'),
    malformed: make('malformed'),
    quarantined: make('quarantined'),
  };
}

function bucketOf(slot: number): number {
  return Math.floor(slot / BUCKET_SLOTS);
}

import { PERCENT_SCALE } from '../../model/signal.ts';
import type { Lift } from '../../model/signal-statistics.ts';
import {
  axesOf,
  DayCells,
  type MatchedCells,
  type SlotSums,
  type SplitValues,
} from './day-cells.ts';
import { DAYS_MIN, DayDraws, type DrawnDays } from './day-draws.ts';
import { DrawCounts, drawsOfTurn } from './draw-counts.ts';
import { atOnce, type Turns } from './turns.ts';

/** Fewer compared signals say too little for an interval, however many days they are from. */
const SIGNALS_MIN = 20;
const PERCENT_E9 = 10 ** PERCENT_SCALE;

/**
 * Compares signals with random minutes cell by cell. Days are resampled with all that happened on
 * them, signals and random minutes alike, so a move of the whole market on one day widens the
 * interval instead of appearing as lift (block bootstrap, METHODS §6.3). The draws depend only on
 * the number of days: the same rows give the same interval.
 *
 * The summands are integers in billionths, which doubles represent exactly up to nine million
 * percent in total: the order of rows, days and cells does not matter.
 */
export class MatchedLift {
  readonly signals: DayCells;
  readonly controls: DayCells;
  private readonly cellCount: number;
  private readonly drawn: DrawnDays;
  private readonly everyDay: Uint8Array;
  private readonly signalCounts: DrawCounts;
  private readonly controlCounts: DrawCounts;
  private readonly counted: CountedDraws;

  constructor(signals: MatchedCells, controls: MatchedCells, draws: DayDraws) {
    const axes = axesOf(signals, controls);
    const { cellCount } = axes;
    const drawn = draws.of(axes.days.size);
    this.signals = new DayCells(axes, signals);
    this.controls = new DayCells(axes, controls);
    this.cellCount = cellCount;
    this.drawn = drawn;
    this.everyDay = new Uint8Array(axes.days.size).fill(1);
    this.signalCounts = new DrawCounts(this.signals, drawn, cellCount);
    this.controlCounts = new DrawCounts(this.controls, drawn, cellCount);
    const drawCount = drawn.starts.length - 1;
    this.counted = {
      cellCount,
      ratios: new Float64Array(drawCount * cellCount),
      matched: new Float64Array(drawCount),
      isAlways: new Uint8Array(cellCount),
    };
  }

  /**
   * Compares returns of the signals with those of the random minutes; null if none are comparable.
   */
  *of(own: SlotSums, base: SlotSums): Turns<Lift | null> {
    const isOther = yield* this.signalCounts.set(own.counts);
    const isOtherBase = yield* this.controlCounts.set(base.counts);
    if (isOther || isOtherBase) this.count();
    const { counted, drawn } = this;
    const split = this.signals.split(own.sums, counted.isAlways);
    const baseSums = yield* this.baseSums(base.sums);
    const found = Array.from(counted.matched, (matched, draw) => {
      const mean = signalSum(split, counted, drawn, draw) / PERCENT_E9 / matched;
      const baseRate = (baseSums[draw] ?? 0) / PERCENT_E9 / matched;
      return { matched, mean, baseRate, lift: mean - baseRate };
    });
    const [whole, ...replicates] = found;
    if (whole === undefined || whole.matched === 0) return null;
    const compared = counted.ratios.subarray(0, counted.cellCount);
    const days = this.signals.daysWith(own.counts, compared);
    if (whole.matched < SIGNALS_MIN || days < DAYS_MIN) return { ...whole, interval: null };
    return { ...whole, interval: intervalOf(replicates) };
  }

  private count(): void {
    const { cellCount, ratios, matched, isAlways } = this.counted;
    const { totals: signals } = this.signalCounts;
    const { totals: controls } = this.controlCounts;
    isAlways.fill(1);
    for (let draw = 0; draw < matched.length; draw++) {
      let sum = 0;
      for (let cell = 0; cell < cellCount; cell++) {
        const at = draw * cellCount + cell;
        const own = signals[at] ?? 0;
        const base = controls[at] ?? 0;
        ratios[at] = base === 0 ? 0 : own / base;
        if (base === 0) isAlways[cell] = 0;
        else sum += own;
      }
      matched[draw] = sum;
    }
  }

  /** By draw: what the signals would have earned if each had been a random minute of its cell. */
  private *baseSums(values: Float64Array): Turns<Float64Array> {
    const { cellCount, drawn, everyDay: days } = this;
    const { ratios, matched } = this.counted;
    const sums = new Float64Array(matched.length);
    const totals = new Float64Array(cellCount);
    const most = drawsOfTurn(this.controls);
    for (let draw = 0; draw < sums.length; draw++) {
      totals.fill(0);
      this.controls.addDraw(totals, { values, days, drawn, draw });
      let sum = 0;
      for (let cell = 0; cell < cellCount; cell++) {
        sum += (ratios[draw * cellCount + cell] ?? 0) * (totals[cell] ?? 0);
      }
      sums[draw] = sum;
      if (draw % most === most - 1) yield;
    }
    return sums;
  }
}

/** Values that depend only on the numbers of closed positions. */
interface CountedDraws {
  readonly cellCount: number;
  /** By draw, then by cell: signals per random minute; 0 if there is no random minute. */
  readonly ratios: Float64Array;
  /** By draw: number of signals that are compared. */
  readonly matched: Float64Array;
  /** By cell: 1 if every draw contains a random minute. */
  readonly isAlways: Uint8Array;
}

/** The sum of the returns of the signals that are compared. */
function signalSum(split: SplitValues, counted: CountedDraws, drawn: DrawnDays, draw: number) {
  const ratios = counted.ratios.subarray(draw * counted.cellCount);
  let sum = 0;
  const end = drawn.starts[draw + 1] ?? 0;
  for (let at = drawn.starts[draw] ?? 0; at < end; at++) {
    const day = drawn.days[at] ?? 0;
    sum += (drawn.weights[at] ?? 0) * ((split.wholes[day] ?? 0) + restOf(split, ratios, day));
  }
  return sum;
}

/** The part of the cells that are comparable in this draw but not in every draw. */
function restOf({ starts, cells, values }: SplitValues, ratios: Float64Array, day: number): number {
  let sum = 0;
  const end = starts[day + 1] ?? 0;
  for (let slot = starts[day] ?? 0; slot < end; slot++) {
    if ((ratios[cells[slot] ?? 0] ?? 0) > 0) sum += values[slot] ?? 0;
  }
  return sum;
}

/** Ignores draws in which nothing is comparable. */
function intervalOf(
  replicates: readonly Pick<Lift, 'matched' | 'lift'>[],
): readonly [low: number, high: number] {
  const lifts = Float64Array.from(
    replicates.filter(({ matched }) => matched > 0),
    ({ lift }) => lift,
  ).sort();
  const at = (share: number) => lifts[Math.round(share * (lifts.length - 1))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}

/** A return in percent, with the day and the market cell of its token. */
export interface MatchedReturn {
  /** Whole days since 1970, UTC. */
  readonly day: number;
  readonly cell: number;
  readonly percent: number;
}

/** The same comparison for one list of returns on each side. */
export function matchedLift(
  signals: readonly MatchedReturn[],
  controls: readonly MatchedReturn[],
): Lift | null {
  const cellsOf = (returns: readonly MatchedReturn[]): MatchedCells => ({
    days: Int32Array.from(returns, ({ day }) => day),
    cells: Int32Array.from(returns, ({ cell }) => cell),
  });
  const sumsOf = (side: DayCells, returns: readonly MatchedReturn[]) => {
    const column = Float64Array.from(returns, ({ percent }) => percent * PERCENT_E9);
    const rows = Int32Array.from(returns.keys());
    return side.sumsOf({ column, rows }, new Float64Array(rows.length));
  };
  const matching = new MatchedLift(cellsOf(signals), cellsOf(controls), new DayDraws());
  const own = sumsOf(matching.signals, signals);
  return atOnce(matching.of(own, sumsOf(matching.controls, controls)));
}

import { HashDraws } from '../../lib/hash-draws.ts';

/** Fewer days are not enough to resample. */
export const DAYS_MIN = 5;
/** Number of resamples; each draws as many days as there are, with repetition. */
const REPLICATES = 250;
const SEED = 'signals against random minutes';
/** Numbers of days whose draws are cached: a megabyte each for a year. */
const KEPT_MAX = 8;

/**
 * The days of some draws, draw by draw: from `starts[draw]` up to the next start, the indexes of
 * the drawn days, ascending, and how often each was drawn. The first draw contains each day once.
 */
export interface DrawnDays {
  readonly starts: Int32Array;
  readonly days: Int32Array;
  readonly weights: Float64Array;
}

/** Draws of days, which depend only on their number: computed once and cached. */
export class DayDraws {
  private readonly kept = new Map<number, DrawnDays>();

  /** With fewer days than DAYS_MIN only the first draw. */
  of(count: number): DrawnDays {
    const drawn = this.kept.get(count) ?? drawDays(count);
    // Re-inserting marks the entry as the most recently used.
    this.kept.delete(count);
    this.kept.set(count, drawn);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT_MAX) break;
      this.kept.delete(oldest);
    }
    return drawn;
  }
}

function drawDays(count: number): DrawnDays {
  const draws = new HashDraws(`${SEED} ${count}`);
  const replicates = count < DAYS_MIN ? 0 : REPLICATES;
  const starts = [0];
  const days: number[] = [];
  const weights: number[] = [];
  for (let draw = 0; draw <= replicates; draw++) {
    const drawn = draw === 0 ? new Uint16Array(count).fill(1) : weightsOf(draws, count);
    for (const [day, weight] of drawn.entries()) {
      if (weight === 0) continue;
      days.push(day);
      weights.push(weight);
    }
    starts.push(days.length);
  }
  return {
    starts: Int32Array.from(starts),
    days: Int32Array.from(days),
    weights: Float64Array.from(weights),
  };
}

function weightsOf(draws: HashDraws, count: number): Uint16Array {
  const weights = new Uint16Array(count);
  for (let drawn = 0; drawn < count; drawn++) {
    const day = draws.below(count);
    weights[day] = (weights[day] ?? 0) + 1;
  }
  return weights;
}

import { absolute, divide } from '../../lib/decimal.ts';
import type { Summary } from '../../model/signal-statistics.ts';
import { ExactSum, sumOf } from './exact-sum.ts';
import { middleOf } from './middle-of.ts';

// Loops here use an index: `for…of` over this many numbers takes twice the time.

/**
 * A column of integers. They are kept as doubles, which are ten times as fast to add and to sort;
 * the few that a double does not represent exactly are kept in addition as bigints. Sums are exact
 * in both cases.
 */
export class ExactColumn {
  private readonly doubles: Float64Array;
  private readonly wide: WideAmounts;

  constructor(amounts: readonly bigint[]);
  constructor(doubles: Float64Array, wide: WideAmounts);
  constructor(amounts: readonly bigint[] | Float64Array, wide?: WideAmounts) {
    if (amounts instanceof Float64Array) {
      this.doubles = amounts;
      this.wide = wide ?? NONE_WIDE;
    } else {
      this.doubles = Float64Array.from(amounts, Number);
      this.wide = wideAmounts(this.doubles, (at) => amounts[at] ?? 0n);
    }
  }

  /**
   * A column of the rows with these indexes, stored in `room`; valid until `room` is overwritten.
   */
  pick(places: Int32Array, buffer: Float64Array): ExactColumn {
    const doubles = buffer.subarray(0, places.length);
    for (let to = 0; to < places.length; to++) doubles[to] = this.doubles[places[to] ?? 0] ?? 0;
    if (this.wide.places.length === 0) return new ExactColumn(doubles, NONE_WIDE);
    return new ExactColumn(
      doubles,
      wideAmounts(doubles, (to) => this.at(places[to] ?? 0)),
    );
  }

  get count(): number {
    return this.doubles.length;
  }

  /** 0 for an empty column. */
  mean(): bigint {
    return this.count === 0 ? 0n : divide(this.sum(), BigInt(this.count), 'half-up');
  }

  /** The mean of the middle two for an even count; 0 for an empty column. */
  median(): bigint {
    const { count } = this;
    if (count === 0) return 0n;
    const rank = count >> 1;
    const [below, above] = middleOf(this.doubles);
    const upper = this.ranked(rank, above);
    const lower = count % 2 === 1 ? upper : this.ranked(rank - 1, below);
    return divide(lower + upper, 2n, 'half-up');
  }

  summary(): Summary {
    const { count } = this;
    const [min, max] = this.extremes();
    const mean = this.mean();
    return { count, mean, median: this.median(), min, max, deviation: this.deviation(mean) };
  }

  private sum(): bigint {
    let total = sumOf(this.doubles);
    for (const amount of this.wide.amounts) total += amount;
    return total;
  }

  private deviation(mean: bigint): bigint {
    const count = BigInt(this.count);
    if (count < 2n) return 0n;
    // Relative to the mean, rounded to an integer, the squares are small; the shift is removed
    // exactly.
    const { sum, squares } = this.moments(mean);
    return rootOf(count * squares - sum * sum, count * (count - 1n));
  }

  /**
   * In two halves of 26 bits, whose products a double represents; the few longer values one by one.
   */
  private moments(shift: bigint): Moments {
    const near = Number(shift);
    const isNear = Number.isSafeInteger(near);
    const sum = new ExactSum();
    const high = new ExactSum();
    const mixed = new ExactSum();
    const low = new ExactSum();
    const far: bigint[] = [];
    for (let at = 0; at < this.doubles.length; at++) {
      const value = this.doubles[at] ?? 0;
      const from = value - near;
      const size = Math.abs(from);
      if (size >= HALF * HALF || !isNear || !Number.isSafeInteger(value)) {
        far.push(this.at(at) - shift);
        continue;
      }
      const upper = Math.floor(size / HALF);
      const lower = size - upper * HALF;
      sum.add(from);
      high.add(upper * upper);
      mixed.add(upper * lower);
      low.add(lower * lower);
    }
    const bits = BigInt(HALF_BITS);
    const squares = (high.total << (2n * bits)) + (mixed.total << (bits + 1n)) + low.total;
    return addFar({ sum: sum.total, squares }, far);
  }

  private extremes(): readonly [min: bigint, max: bigint] {
    let min = this.doubles[0] ?? 0;
    let max = min;
    for (let at = 1; at < this.count; at++) {
      const value = this.doubles[at] ?? 0;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return [this.exactOf(min)[0] ?? 0n, this.exactOf(max).at(-1) ?? 0n];
  }

  /** The exact value at `rank` in sorted order, given its double. */
  private ranked(rank: number, near: number): bigint {
    const exact = this.exactOf(near);
    if (exact.length === 1) return exact[0] ?? 0n;
    let before = 0;
    for (const value of this.doubles) if (value < near) before++;
    return exact[rank - before] ?? 0n;
  }

  /** The amounts with this double, ascending; a safe integer is its own only amount. */
  private exactOf(near: number): readonly bigint[] {
    if (Number.isSafeInteger(near)) return [BigInt(near)];
    return this.wide.amounts
      .filter((value) => Number(value) === near)
      .sort((one, other) => (one < other ? -1 : Number(one > other)));
  }

  private at(place: number): bigint {
    const double = this.doubles[place] ?? 0;
    if (Number.isSafeInteger(double)) return BigInt(double);
    const { places, amounts } = this.wide;
    return amounts[rankOf(places, place)] ?? 0n;
  }
}

/** The amounts whose double is not a safe integer. */
export interface WideAmounts {
  /** Row indexes, ascending. */
  readonly places: readonly number[];
  /** In the same order. */
  readonly amounts: readonly bigint[];
}

export const NONE_WIDE: WideAmounts = { places: [], amounts: [] };

/** Selects the amounts that must be kept in addition to their doubles. */
export function wideAmounts(doubles: Float64Array, amountAt: (at: number) => bigint): WideAmounts {
  const places: number[] = [];
  const amounts: bigint[] = [];
  for (let at = 0; at < doubles.length; at++) {
    if (Number.isSafeInteger(doubles[at])) continue;
    places.push(at);
    amounts.push(amountAt(at));
  }
  return { places, amounts };
}

/** How many of the ascending numbers are less than `number`. */
function rankOf(ascending: readonly number[], number: number): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Sums of the differences from a number and of their squares. */
interface Moments {
  readonly sum: bigint;
  readonly squares: bigint;
}

const HALF_BITS = 26;
const HALF = 2 ** HALF_BITS;

function addFar({ sum, squares }: Moments, far: readonly bigint[]): Moments {
  return {
    sum: far.reduce((total, from) => total + from, sum),
    squares: far.reduce((total, from) => total + from * from, squares),
  };
}

/** The square root of a quotient, rounded half up. */
function rootOf(numerator: bigint, denominator: bigint): bigint {
  return (floorRoot((4n * numerator) / denominator) + 1n) / 2n;
}

/** The largest integer whose square is at most `square`, by Newton's method from above. */
function floorRoot(square: bigint): bigint {
  if (square < 2n) return absolute(square);
  let root = 1n << (BigInt(square.toString(2).length + 1) / 2n);
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

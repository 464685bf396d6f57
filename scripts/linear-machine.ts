/**
 * Linear support vector machines with squared hinge loss, by dual coordinate descent (Hsieh et al.
 * 2008, algorithm 1). The same rows in the same order and the same settings give the same weights.
 */
import { FEATURE_COUNT } from '../src/social/sentiment/hashed-features.ts';
import { drawsFrom } from './draws.ts';
import type { FeatureRows } from './feature-rows.ts';

export interface MachineSettings {
  readonly seed: number;
  readonly rounds: number;
  /** The cost of an error relative to large weights (C). */
  readonly errorCost: number;
  /** How much vectors are stretched along features that indicate a class by themselves, 0 to 1. */
  readonly indicativeShare: number;
}

export interface Machine {
  readonly weights: Float32Array;
  readonly bias: number;
}

/** The rows of a machine, whether each is of the class, and its weight. */
export interface MachineTask {
  readonly rows: FeatureRows;
  readonly included: readonly number[];
  readonly isInside: readonly boolean[];
  readonly postWeights: readonly number[];
  /** Factors of features, 1 for each where left out. */
  readonly stretches?: Float64Array;
}

export function trainMachine(task: MachineTask, settings: MachineSettings): Machine {
  const { rows, included } = task;
  const stretches = stretchesOf(task, settings.indicativeShare);
  const weights = new Float32Array(FEATURE_COUNT);
  const multipliers = new Float64Array(included.length);
  const slack = Float64Array.from(task.postWeights, (own) => 0.5 / (settings.errorCost * own));
  const curvature = slack.map(
    (own, index) => own + 1 + squaredLength(rows, included[index] as number, stretches),
  );
  const order = Uint32Array.from(included, (_, index) => index);
  const drawBelow = drawsFrom(settings.seed);
  let bias = 0;
  for (let round = 0; round < settings.rounds; round++) {
    shuffle(order, drawBelow);
    for (const index of order) {
      const row = included[index] as number;
      const side = task.isInside[index] === true ? 1 : -1;
      const multiplier = multipliers[index] as number;
      const margin = bias + product(rows, row, weights);
      const slope = side * margin - 1 + (slack[index] as number) * multiplier;
      const moved = Math.max(0, multiplier - slope / (curvature[index] as number));
      if (moved === multiplier) continue;
      const step = (moved - multiplier) * side;
      bias += step;
      // Weights include the stretch already, so that margins need no further product.
      addRow(rows, row, weights, stretches, step);
      multipliers[index] = moved;
    }
  }
  return { weights, bias };
}

function product({ starts, places, values }: FeatureRows, row: number, weights: Float32Array) {
  const end = starts[row + 1] as number;
  let sum = 0;
  for (let at = starts[row] as number; at < end; at++) {
    sum += (weights[places[at] as number] as number) * (values[at] as number);
  }
  return sum;
}

function addRow(
  { starts, places, values }: FeatureRows,
  row: number,
  weights: Float32Array,
  stretches: Float64Array,
  step: number,
): void {
  const end = starts[row + 1] as number;
  for (let at = starts[row] as number; at < end; at++) {
    const place = places[at] as number;
    const stretch = stretches[place] as number;
    weights[place] = (weights[place] as number) + step * (values[at] as number) * stretch * stretch;
  }
}

function squaredLength(rows: FeatureRows, row: number, stretches: Float64Array): number {
  const end = rows.starts[row + 1] as number;
  let sum = 0;
  for (let at = rows.starts[row] as number; at < end; at++) {
    sum += ((rows.values[at] as number) * (stretches[rows.places[at] as number] as number)) ** 2;
  }
  return sum;
}

/**
 * How strongly a feature indicates the class by itself: |ln| of the ratio of its shares of both
 * classes, smoothed by one. Vectors are stretched along such features (Wang and Manning 2012,
 * NBSVM, with their interpolation).
 */
function stretchesOf(task: MachineTask, share: number): Float64Array {
  const given = task.stretches;
  if (share === 0) return given ?? new Float64Array(FEATURE_COUNT).fill(1);
  const inside = new Float64Array(FEATURE_COUNT).fill(1);
  const outside = new Float64Array(FEATURE_COUNT).fill(1);
  const { starts, places } = task.rows;
  for (const [index, row] of task.included.entries()) {
    const counts = task.isInside[index] === true ? inside : outside;
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      counts[places[at] as number] = (counts[places[at] as number] as number) + 1;
    }
  }
  const base = Math.log(sumOf(inside) / sumOf(outside));
  return inside.map((count, place) => {
    const indicates = Math.abs(Math.log(count / (outside[place] as number)) - base);
    return (1 - share + share * indicates) * (given?.[place] ?? 1);
  });
}

function sumOf(numbers: Float64Array): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Shuffle by Fisher and Yates. */
function shuffle(order: Uint32Array, drawBelow: (limit: number) => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = drawBelow(last + 1);
    const kept = order[last] as number;
    order[last] = order[other] as number;
    order[other] = kept;
  }
}

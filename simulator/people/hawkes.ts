import { exp, log } from '../portable-math.ts';
import type { Random } from '../random.ts';

/**
 * Arrivals that excite further arrivals: a Hawkes process with an exponential kernel, drawn by its
 * cluster form, which needs no bound on its intensity. Those who come of themselves are a Poisson
 * process whose rate fades exponentially; each arrival brings Poisson many more, each after an
 * exponential time. With `ratio` below one the expected number in all is `count / (1 - ratio)`.
 */

/** A Poisson process that fades: `count` arrivals expected in all, `fadeMs` their mean age. */
export interface FadingArrivals {
  readonly count: number;
  readonly fadeMs: number;
}

export interface Excitement {
  /** Arrivals that one arrival brings, on average: the branching ratio. */
  readonly ratio: number;
  /** How long after it, on average. */
  readonly echoMs: number;
}

/**
 * When the next one comes of itself, in milliseconds since the process began, after `sinceMs`; null
 * when nobody comes any more. By inversion of the expected number.
 */
export function nextArrivalMs(
  random: Random,
  { count, fadeMs }: FadingArrivals,
  sinceMs: number,
): number | null {
  if (count <= 0) return null;
  const left = exp(-sinceMs / fadeMs) - random.exponential(1) / count;
  return left > 0 ? -fadeMs * log(left) : null;
}

/** How long after an arrival each of those it brings comes. */
export function echoDelaysMs(random: Random, { ratio, echoMs }: Excitement): number[] {
  const delays: number[] = [];
  for (let sum = random.exponential(1); sum < ratio; sum += random.exponential(1)) {
    delays.push(random.exponential(echoMs));
  }
  return delays;
}

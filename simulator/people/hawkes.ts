import { exp, log } from '../random/portable-math.ts';
import type { Random } from '../random/random.ts';

/**
 * Arrivals that excite further arrivals: a Hawkes process with an exponential kernel, sampled by
 * its cluster form, which needs no bound on its intensity. Spontaneous arrivals are a Poisson
 * process whose rate fades exponentially; each arrival causes a Poisson number of further ones,
 * each after an exponential delay. With `ratio` below one the expected total is `count / (1 -
 * ratio)`.
 */

/** A fading Poisson process: `count` expected arrivals in total, `fadeMs` their mean age. */
export interface FadingArrivals {
  readonly count: number;
  readonly fadeMs: number;
}

export interface Excitement {
  /** Mean number of arrivals that one arrival causes: the branching ratio. */
  readonly ratio: number;
  /** Their mean delay. */
  readonly echoMs: number;
}

/**
 * The next spontaneous arrival, in milliseconds since the start of the process, after `sinceMs`;
 * null if there are no more. By inversion of the expected number.
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

/** The delays of the arrivals that one arrival causes. */
export function echoDelaysMs(random: Random, { ratio, echoMs }: Excitement): number[] {
  const delays: number[] = [];
  for (let sum = random.exponential(1); sum < ratio; sum += random.exponential(1)) {
    delays.push(random.exponential(echoMs));
  }
  return delays;
}

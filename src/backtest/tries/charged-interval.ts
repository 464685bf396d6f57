import { normalQuantile } from '../../lib/normal-distribution.ts';

const LEVEL = 0.05;

/**
 * An interval of 95 of 100, widened for the number of tries so that all of them together are right
 * 95 times of 100 (Bonferroni; Dunn 1961). Resamples are too few for its far ends, so each side is
 * stretched as that of a normal distribution would be.
 */
export function chargedInterval(
  middle: number,
  [low, high]: readonly [low: number, high: number],
  tries: number,
): readonly [low: number, high: number] {
  const stretch = stretchOf(tries);
  return [middle - (middle - low) * stretch, middle + (high - middle) * stretch];
}

/** 1 for one try. */
export function stretchOf(tries: number): number {
  if (tries <= 1) return 1;
  return normalQuantile(LEVEL / 2 / tries) / normalQuantile(LEVEL / 2);
}

/**
 * The probability that a count is as large as observed, or larger, by chance alone. Sums terms of
 * one sign in logarithms: no cancellation occurs, and the far tail does not underflow to zero.
 */

/**
 * log10 of P[X ≥ k] for X of `trials` trials that succeed with `probability` each; −∞ if
 * impossible.
 */
export function binomialSurvivalLog10(k: number, trials: number, probability: number): number {
  assertCount(k);
  assertCount(trials);
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError('a probability must be between 0 and 1');
  }
  if (k === 0) return 0;
  if (k > trials || probability === 0) return Number.NEGATIVE_INFINITY;
  if (probability === 1) return 0;
  const odds = probability / (1 - probability);
  const lnTerm = (at: number) =>
    lnChoose(trials, at) + at * Math.log(probability) + (trials - at) * Math.log1p(-probability);
  return survivalLog10({
    k,
    mean: trials * probability,
    lnTerm,
    stepUp: (at) => ((trials - at) / (at + 1)) * odds,
  });
}

/** log10 of P[X ≥ k] for X of a Poisson distribution with this mean; −∞ if impossible. */
export function poissonSurvivalLog10(k: number, mean: number): number {
  assertCount(k);
  if (!(mean >= 0 && mean < Number.POSITIVE_INFINITY))
    throw new RangeError('a mean must not be negative');
  if (k === 0) return 0;
  if (mean === 0) return Number.NEGATIVE_INFINITY;
  return survivalLog10({
    k,
    mean,
    lnTerm: (at) => at * Math.log(mean) - mean - lnFactorial(at),
    stepUp: (at) => mean / (at + 1),
  });
}

/** P[X ≥ k]; underflows to 0 below 10^-308, where only the logarithm is accurate. */
export function binomialSurvival(k: number, trials: number, probability: number): number {
  return 10 ** binomialSurvivalLog10(k, trials, probability);
}

/** P[X ≥ k]; underflows to 0 below 10^-308, where only the logarithm is accurate. */
export function poissonSurvival(k: number, mean: number): number {
  return 10 ** poissonSurvivalLog10(k, mean);
}

interface Distribution {
  readonly k: number;
  readonly mean: number;
  /** ln P[X = at]. */
  readonly lnTerm: (at: number) => number;
  /** P[X = at + 1] / P[X = at]. */
  readonly stepUp: (at: number) => number;
}

/**
 * Above the mean, terms decrease upward from k; below it, downward from k − 1: that side is summed.
 */
function survivalLog10({ k, mean, lnTerm, stepUp }: Distribution): number {
  if (k > mean) {
    const sum = sumFalling(k, (at) => stepUp(at), 1);
    return Math.min(0, (lnTerm(k) + Math.log(sum)) / Math.LN10);
  }
  const sum = sumFalling(k - 1, (at) => (at === 0 ? 0 : 1 / stepUp(at - 1)), -1);
  return Math.log1p(-Math.exp(lnTerm(k - 1) + Math.log(sum))) / Math.LN10;
}

/** 1 + r(from) + r(from)·r(from ± 1) + …, until a term no longer changes the sum. */
function sumFalling(from: number, ratio: (at: number) => number, direction: 1 | -1): number {
  let sum = 1;
  let term = 1;
  for (let at = from; ; at += direction) {
    term *= ratio(at);
    if (sum + term === sum) return sum;
    sum += term;
  }
}

function lnChoose(n: number, k: number): number {
  return lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k);
}

/**
 * ln n!: a sum of logarithms for small n, otherwise Stirling's series, whose first omitted term is
 * below 10^-16 (Abramowitz & Stegun 6.1.41).
 */
function lnFactorial(n: number): number {
  if (n >= STIRLING_MIN) {
    const x = n + 1;
    const inverse = 1 / x;
    const square = inverse * inverse;
    const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
  }
  let sum = 0;
  for (let factor = 2; factor <= n; factor++) sum += Math.log(factor);
  return sum;
}

const STIRLING_MIN = 64;

function assertCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError('a count must be a non-negative integer');
  }
}

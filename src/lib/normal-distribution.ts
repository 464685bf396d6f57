const ROOT_2_PI = Math.sqrt(2 * Math.PI);
/** Beyond this the upper tail is below the smallest double. */
const LARGEST = 38;

/**
 * The standard normal distribution: the probability of a value up to `z`. Marsaglia's series near
 * the middle (2004) and Laplace's continued fraction in the tails, both to double precision.
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z < -LARGEST) return 0;
  if (z > LARGEST) return 1;
  if (Math.abs(z) > 4) return z > 0 ? 1 - upperTail(z) : upperTail(-z);
  let term = z;
  let sum = z;
  for (let odd = 3; Math.abs(term) > Number.EPSILON * Math.abs(sum) && odd < 1_000; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * density(z);
}

/** The value that is not exceeded with a probability: between -Infinity for 0 and Infinity for 1. */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) return Number.NaN;
  if (probability === 0 || probability === 1) return probability === 0 ? -Infinity : Infinity;
  // In the lower half, where no digits of a small tail are lost.
  if (probability > 0.5) return -normalQuantile(1 - probability);
  let low = -LARGEST;
  let high = 0;
  // Bisection down to neighbouring doubles: fewer than 100 steps, for a handful of calls.
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (normalCdf(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function density(z: number): number {
  return Math.exp(-(z * z) / 2) / ROOT_2_PI;
}

/** For z > 4. */
function upperTail(z: number): number {
  let fraction = z;
  for (let level = 60; level > 0; level--) fraction = z + level / fraction;
  return density(z) / fraction;
}

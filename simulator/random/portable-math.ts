/**
 * Transcendental functions built only from sums, products, quotients and square roots, which IEEE
 * 754 rounds identically everywhere. The engine's own functions are not specified to the last bit:
 * compilers fuse operations on some processors, and a single bit changes the whole market.
 */

/** ln 2 in two parts: the first has so few digits that integer multiples of it are exact. */
const LN_2_HIGH = 0.6931471803691238;
const LN_2_LOW = 1.9082149292705877e-10;
const SQRT_2 = Math.SQRT2;
const LEAST_NORMAL = 2 ** -1_022;
/** Powers of two that a double represents without loss of digits. */
const EXPONENT_MAX = 1_022;

/** Factors 1/n of the series of exp, and 1/(2n + 1) of that of artanh. */
const EXP_TERMS = 14;
const LOG_TERMS = 11;

const scratch = new DataView(new ArrayBuffer(8));

/** e to the power of x; 0 or Infinity beyond the range of a double. */
export function exp(x: number): number {
  const twos = Math.round(x / (LN_2_HIGH + LN_2_LOW));
  if (twos > EXPONENT_MAX) return Number.POSITIVE_INFINITY;
  if (twos < -EXPONENT_MAX) return 0;
  const rest = x - twos * LN_2_HIGH - twos * LN_2_LOW;
  let sum = 1;
  for (let term = EXP_TERMS; term > 0; term--) sum = 1 + (rest * sum) / term;
  return sum * powerOfTwo(twos);
}

/**
 * Natural logarithm; -Infinity for 0 and for subnormal numbers. Throws RangeError for negative
 * numbers, NaN and Infinity.
 */
export function log(x: number): number {
  if (!(x >= 0 && x < Number.POSITIVE_INFINITY)) throw new RangeError(`${x} has no logarithm here`);
  if (x < LEAST_NORMAL) return Number.NEGATIVE_INFINITY;
  scratch.setFloat64(0, x);
  let twos = (scratch.getUint16(0) >> 4) - 1_023;
  let fraction = x / powerOfTwo(twos);
  if (fraction > SQRT_2) {
    fraction /= 2;
    twos++;
  }
  return twos * LN_2_HIGH + (logNearOne(fraction) + twos * LN_2_LOW);
}

/** By ln y = 2 artanh((y - 1) / (y + 1)). */
function logNearOne(y: number): number {
  const part = (y - 1) / (y + 1);
  const square = part * part;
  let sum = 0;
  for (let term = LOG_TERMS; term > 0; term--) sum = square * (sum + 1 / (2 * term + 1));
  return 2 * part + 2 * part * sum;
}

/** `base` (not negative) to the power of `exponent` (positive). */
export function power(base: number, exponent: number): number {
  return exp(exponent * log(base));
}

export function tanh(x: number): number {
  return 1 - 2 / (exp(2 * x) + 1);
}

/** Cosine of a fraction of the full circle, 0 to 1. */
export function cosineOfTurn(turn: number): number {
  const quarter = Math.round(4 * turn);
  const angle = 2 * Math.PI * (turn - quarter / 4);
  switch (quarter % 4) {
    case 0:
      return cosineNearZero(angle);
    case 1:
      return -sineNearZero(angle);
    case 2:
      return -cosineNearZero(angle);
    default:
      return sineNearZero(angle);
  }
}

/** Pairs of factors of the series of sine and cosine, for an eighth of the circle each way. */
const CIRCLE_TERMS = 9;

function cosineNearZero(angle: number): number {
  const square = angle * angle;
  let sum = 1;
  for (let term = CIRCLE_TERMS; term > 0; term--) {
    sum = 1 - (square * sum) / (2 * term * (2 * term - 1));
  }
  return sum;
}

function sineNearZero(angle: number): number {
  const square = angle * angle;
  let sum = 1;
  for (let term = CIRCLE_TERMS; term > 0; term--) {
    sum = 1 - (square * sum) / (2 * term * (2 * term + 1));
  }
  return angle * sum;
}

function powerOfTwo(exponent: number): number {
  scratch.setUint32(0, (exponent + 1_023) << 20);
  scratch.setUint32(4, 0);
  return scratch.getFloat64(0);
}

/**
 * Exact decimal numbers: a bigint and the number of digits after the point.
 *
 * Rounding has no default: the caller always chooses a direction. 'down' rounds toward zero,
 * 'half-up' rounds halves away from zero.
 */
export type Rounding = 'down' | 'half-up';

/** Computes `a / b` with the given rounding. Throws RangeError when `b` is zero. */
export function divide(a: bigint, b: bigint, rounding: Rounding): bigint {
  if (b === 0n) throw new RangeError('division by zero');
  // The common case: adding half of the divisor before truncation rounds half up.
  if (rounding === 'half-up' && a >= 0n && b > 0n) return (a + (b >> 1n)) / b;
  const quotient = a / b;
  if (rounding === 'down') return quotient;
  const remainder = a - quotient * b;
  const doubled = 2n * (remainder < 0n ? -remainder : remainder);
  if (doubled < (b < 0n ? -b : b)) return quotient;
  return a < 0n === b < 0n ? quotient + 1n : quotient - 1n;
}

/** Computes `a * b / c` from the exact product, with the given rounding. */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  return divide(a * b, c, rounding);
}

/** Returns the absolute value. */
export function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Formats `raw / 10^scale` in plain notation with exactly `scale` fraction digits. */
export function formatFixed(raw: bigint, scale: number): string {
  if (scale === 0) return raw.toString();
  const sign = raw < 0n ? '-' : '';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Formats `raw / 10^scale` in plain notation without trailing zeros. */
export function formatTrimmed(raw: bigint, scale: number): string {
  const text = formatFixed(raw, scale);
  if (scale === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  if (text.charCodeAt(end - 1) === POINT) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** Formats `raw / 10^scale` with `digits` fraction digits, rounded half up. */
export function formatRounded(raw: bigint, scale: number, digits: number): string {
  const rounded =
    digits >= scale
      ? raw * 10n ** BigInt(digits - scale)
      : divide(raw, 10n ** BigInt(scale - digits), 'half-up');
  return formatFixed(rounded, digits);
}

/**
 * Parses plain decimal text as a raw number at `scale`. Returns null for anything else: exponents,
 * separators, an empty side of the point, or more than `scale` fraction digits.
 */
export function parseDecimal(text: string, scale: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > scale) return null;
  const raw = BigInt(whole + fraction.padEnd(scale, '0'));
  return sign === '-' ? -raw : raw;
}

const ZERO = 48;
const POINT = 46;

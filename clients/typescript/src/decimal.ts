/** A decimal number without loss: `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const DECIMAL = /^(-?)([0-9]+)(?:[.]([0-9]+))?$/;

/** Reads a decimal of the API, such as "0.000346289". Throws RangeError if it is none. */
export function parseDecimal(text: string): Decimal {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`"${text.slice(0, 50)}" is not a decimal number.`);
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

/**
 * A decimal of the API as a whole number of units of 10^-`scale`: `toUnits("1.5", 9)` are the lamports
 * of 1.5 SOL. Throws RangeError if it has digits beyond, other than zeros.
 */
export function toUnits(text: string, scale: number): bigint {
  const decimal = parseDecimal(text);
  if (decimal.scale <= scale) return decimal.digits * 10n ** BigInt(scale - decimal.scale);
  const divisor = 10n ** BigInt(decimal.scale - scale);
  if (decimal.digits % divisor !== 0n) {
    throw new RangeError(`"${text}" has more than ${scale} digits after the point.`);
  }
  return decimal.digits / divisor;
}

/** The decimal of a whole number of units of 10^-`scale`, with `scale` digits after the point. */
export function fromUnits(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const point = text.length - scale;
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
}

/** Negative if the first decimal is smaller, 0 if both are equal, positive if it is larger. */
export function compareDecimals(one: string, other: string): number {
  const [left, right] = aligned(one, other);
  return left < right ? -1 : Number(left > right);
}

/** The exact sum of two decimals. */
export function addDecimals(one: string, other: string): string {
  const [left, right, scale] = aligned(one, other);
  return fromUnits(left + right, scale);
}

function aligned(one: string, other: string): readonly [bigint, bigint, number] {
  const scale = Math.max(parseDecimal(one).scale, parseDecimal(other).scale);
  return [toUnits(one, scale), toUnits(other, scale), scale];
}

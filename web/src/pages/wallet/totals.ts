import { type Decimal, parseDecimal, partsOf, roundDecimal } from '../../format/decimal.ts';

/** The exact sum of the known decimals, with two fraction digits; null if none is known. */
export function totalOf(texts: readonly (string | null)[]): string | null {
  const known = texts.flatMap((text) => {
    const value = text === null ? null : parseDecimal(text);
    return value === null ? [] : [value];
  });
  if (known.length === 0) return null;
  const scale = Math.max(2, ...known.map((value) => value.scale));
  const sum = known.reduce((total, value) => total + unitsOf(value, scale), 0n);
  const total = { isNegative: sum < 0n, digits: sum < 0n ? -sum : sum, scale };
  const { sign, whole, fraction } = partsOf(roundDecimal(total, 2));
  return `${sign === '' ? '' : '-'}${whole}.${fraction}`;
}

function unitsOf(value: Decimal, scale: number): bigint {
  const { digits, isNegative } = roundDecimal(value, scale);
  return isNegative ? -digits : digits;
}

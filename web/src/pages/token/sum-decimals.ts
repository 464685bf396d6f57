import { parseDecimal, partsOf, roundDecimal } from '../../format/decimal.ts';

const SCALE = 18;

/** The exact sum of decimal numbers; null if there are none. What is unknown is left out. */
export function sumDecimals(texts: Iterable<string | null>): string | null {
  let sum: bigint | null = null;
  for (const text of texts) {
    const value = text === null ? null : parseDecimal(text);
    if (value === null) continue;
    const { digits, isNegative } = roundDecimal(value, SCALE);
    sum = (sum ?? 0n) + (isNegative ? -digits : digits);
  }
  return sum === null ? null : textOf(sum);
}

/** The exact difference of two decimal numbers; null if one is unknown. */
export function subtractDecimals(from: string | null, text: string | null): string | null {
  if (from === null || text === null) return null;
  return sumDecimals([from, text.startsWith('-') ? text.slice(1) : `-${text}`]);
}

function textOf(scaled: bigint): string {
  const isNegative = scaled < 0n;
  const digits = isNegative ? -scaled : scaled;
  const { whole, fraction } = partsOf({ isNegative: false, digits, scale: SCALE });
  const kept = fraction.replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${whole}${kept === '' ? '' : `.${kept}`}`;
}

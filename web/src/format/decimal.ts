/** A decimal number in plain notation, exactly: `digits` over ten to the power of `scale`. */
export interface Decimal {
  readonly isNegative: boolean;
  readonly digits: bigint;
  readonly scale: number;
}

/** Null for text that is no plain decimal number. */
export function parseDecimal(text: string): Decimal | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  return { isNegative: sign === '-', digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Rounds half away from zero to a number of fraction digits; adds zeros if there are fewer. */
export function roundDecimal({ isNegative, digits, scale }: Decimal, toScale: number): Decimal {
  if (scale <= toScale) {
    return { isNegative, digits: digits * 10n ** BigInt(toScale - scale), scale: toScale };
  }
  const divisor = 10n ** BigInt(scale - toScale);
  return { isNegative, digits: (digits + divisor / 2n) / divisor, scale: toScale };
}

/** The number with its point moved to the right by `places`, to the left if negative. */
export function shiftDecimal({ isNegative, digits, scale }: Decimal, places: number): Decimal {
  if (scale >= places) return { isNegative, digits, scale: scale - places };
  return { isNegative, digits: digits * 10n ** BigInt(places - scale), scale: 0 };
}

export interface DecimalParts {
  readonly sign: '' | '−';
  readonly whole: string;
  readonly fraction: string;
}

/** The digits before and after the point; zero has no sign. */
export function partsOf({ isNegative, digits, scale }: Decimal): DecimalParts {
  const text = digits.toString().padStart(scale + 1, '0');
  const sign = isNegative && digits !== 0n ? '−' : '';
  return {
    sign,
    whole: text.slice(0, text.length - scale),
    fraction: text.slice(text.length - scale),
  };
}

/** Number of digits before the point, at least one. */
export function wholeLength({ digits, scale }: Decimal): number {
  return Math.max(1, digits.toString().length - scale);
}

/** With commas between groups of three digits. */
export function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',');
}

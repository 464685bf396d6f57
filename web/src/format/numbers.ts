import {
  type Decimal,
  group,
  parseDecimal,
  partsOf,
  roundDecimal,
  shiftDecimal,
  wholeLength,
} from './decimal.ts';

/** Shown for what is not known. */
export const UNKNOWN = '–';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const SUFFIXES = ['', 'K', 'M', 'B', 'T'] as const;
/** From this number of zeros after the point on, they are counted in a subscript. */
const ZEROS_MIN = 4;

/**
 * A price as traders read it, with four significant digits: `1,234.57`, `0.03463`, and `0.0₄1235`
 * for 0.00001235, where the subscript counts the zeros after the point. Text that is no decimal
 * number is returned as it is.
 */
export function formatPrice(text: string | null): string {
  if (text === null) return UNKNOWN;
  const value = parseDecimal(text);
  if (value === null) return text;
  if (value.digits === 0n) return '0';
  if (value.digits.toString().length > value.scale) {
    return write(roundDecimal(value, wholeLength(value) >= 4 ? 2 : 4), true);
  }
  const zeros = value.scale - value.digits.toString().length;
  const rounded = roundDecimal(value, zeros + 4);
  // Rounding up may take a zero away, as from 0.0099999.
  const left = rounded.scale - rounded.digits.toString().length;
  if (left < ZEROS_MIN) return write(rounded, true);
  const significant = rounded.digits.toString().replace(/0+$/, '');
  return `${partsOf(rounded).sign}0.0${subscript(left)}${significant}`;
}

/** An amount with at most three significant digits after `K`, `M`, `B` or `T`: `12.3K`, `950`. */
export function formatCompact(text: string | null): string {
  if (text === null) return UNKNOWN;
  const value = parseDecimal(text);
  return value === null ? text : compact(value);
}

function compact(value: Decimal): string {
  let step = Math.min(SUFFIXES.length - 1, Math.floor((wholeLength(value) - 1) / 3));
  let rounded = threeDigits(shiftDecimal(value, -3 * step));
  if (wholeLength(rounded) > 3 && step < SUFFIXES.length - 1) {
    step++;
    rounded = threeDigits(shiftDecimal(value, -3 * step));
  }
  if (rounded.digits === 0n && value.digits !== 0n) return value.isNegative ? '>−0.01' : '<0.01';
  return `${write(rounded, true)}${SUFFIXES[step]}`;
}

/** Like `formatCompact`, in US dollars: `$12.3K`, `−$4`. */
export function formatUsd(text: string | null): string {
  const shown = formatCompact(text);
  if (shown === UNKNOWN) return shown;
  return /^[−<>]/.test(shown) ? shown.replace(/^([<>]?−?)/, '$1$') : `$${shown}`;
}

/** Like `formatPrice`, in US dollars. */
export function formatPriceUsd(text: string | null): string {
  const shown = formatPrice(text);
  if (shown === UNKNOWN) return shown;
  return shown.startsWith('−') ? `−$${shown.slice(1)}` : `$${shown}`;
}

/** Percentages with more digits before the point are written short. */
const PERCENT_DIGITS_MAX = 5;

/**
 * A fraction as a percentage: `0.125` is `12.5%`, and `12345` is `1.23M%`. With `isSigned` a plus
 * before positive ones.
 */
export function formatPercent(
  text: string | null,
  { digits = 1, isSigned = false }: { readonly digits?: number; readonly isSigned?: boolean } = {},
): string {
  if (text === null) return UNKNOWN;
  const value = parseDecimal(text);
  if (value === null) return text;
  const rounded = roundDecimal(shiftDecimal(value, 2), digits);
  const isPositive = rounded.digits > 0n && !rounded.isNegative;
  const isLong = wholeLength(rounded) > PERCENT_DIGITS_MAX;
  const shown = isLong ? compact(shiftDecimal(value, 2)) : write(rounded, false);
  return `${isSigned && isPositive ? '+' : ''}${shown}%`;
}

/** A change as a signed percentage, compact from 10,000 % on: `+12.5%`, `−3.0%`, `+1.2M%`. */
export function formatChange(text: string | null): string {
  const value = text === null ? null : parseDecimal(text);
  if (value === null || wholeLength(value) <= 2) return formatPercent(text, { isSigned: true });
  return `${value.isNegative ? '' : '+'}${compact(shiftDecimal(value, 2))}%`;
}

/** A whole number with commas. */
export function formatCount(count: number | null): string {
  return count === null ? UNKNOWN : group(String(count));
}

/** The number exactly, with commas: for the title of a rounded one. */
export function formatExact(text: string | null): string {
  if (text === null) return UNKNOWN;
  const value = parseDecimal(text);
  return value === null ? text : write(value, false);
}

/** The sign of a number: for the colour of a change. */
export function signOf(text: string | null): -1 | 0 | 1 {
  const value = text === null ? null : parseDecimal(text);
  if (value === null || value.digits === 0n) return 0;
  return value.isNegative ? -1 : 1;
}

function threeDigits(value: Decimal): Decimal {
  return roundDecimal(value, Math.min(2, Math.max(0, 3 - wholeLength(value))));
}

function write(value: Decimal, dropsZeros: boolean): string {
  const { sign, whole, fraction } = partsOf(value);
  const shown = dropsZeros ? fraction.replace(/0+$/, '') : fraction;
  return `${sign}${group(whole)}${shown === '' ? '' : `.${shown}`}`;
}

function subscript(count: number): string {
  return [...String(count)].map((digit) => SUBSCRIPTS[Number(digit)]).join('');
}

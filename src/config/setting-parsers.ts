import { parseByteSize } from '../lib/byte-size.ts';
import { parseDuration } from '../lib/duration.ts';

/**
 * Parsers shared by several settings. Each returns the value, or a description of what it must be.
 */

/** Accepts any text that is not blank; `expected` describes the value in the error. */
export function nonEmpty(expected: string) {
  return (text: string) => (text.trim() === '' ? `must be ${expected}` : { value: text });
}

/** Accepts a name that needs no quotes in SQL. */
export function sqlName(text: string) {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text)
    ? { value: text }
    : 'must be at most 64 letters, digits and underscores, not a digit first';
}

/** Accepts one of the given values. */
export function oneOf<Value extends string>(values: readonly Value[]) {
  return (text: string) => {
    const value = values.find((known) => known === text);
    return value === undefined ? `must be one of ${values.join(', ')}` : { value };
  };
}

/** Accepts a whole number of at most nine digits within an inclusive range. */
export function integerBetween(least: number, most: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? { value }
      : `must be a whole number from ${least} to ${most}`;
  };
}

/** Accepts a size such as 512MiB that is not below the given one. The value is in bytes. */
export function byteSizeFrom(least: string) {
  const leastBytes = parseByteSize(least) ?? 0;
  return (text: string) => {
    const value = parseByteSize(text);
    return value === null || value < leastBytes
      ? `must be a size such as 512MiB or 8GiB, at least ${least}`
      : { value };
  };
}

/** Accepts a duration such as 12h that is not below the given one. The value is in milliseconds. */
export function durationFrom(least: string) {
  const leastMs = parseDuration(least) ?? 0;
  return (text: string) => {
    const value = parseDuration(text);
    return value === null || value < leastMs
      ? `must be a duration such as 12h or 30d, at least ${least}`
      : { value };
  };
}

/** Accepts an HTTP address without a name, a password or parameters, which would be secrets. */
export function plainHttpUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isPlain ? { value: text } : 'must be an address such as http://127.0.0.1:4318';
}

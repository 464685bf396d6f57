import { UsageError } from '../model/errors.ts';

/** A whole number of at most 12 digits, from `least` to `most`. Throws UsageError naming the option. */
export function wholeNumberOption(
  option: string,
  text: string,
  least: number,
  most: number,
): number {
  const number = /^\d{1,12}$/.test(text) ? Number(text) : -1;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}, not "${text}".`);
}

import { divide } from '../../lib/decimal.ts';

/** A part and the rest of a whole, each with four decimals. They add to 1; both are 0 for 0. */
export interface Shares {
  readonly part: number;
  readonly rest: number;
}

/** Rounds the part half up and derives the rest from it, so the decimals add to exactly 1. */
export function sharesOf(part: bigint, whole: bigint): Shares {
  if (whole === 0n) return { part: 0, rest: 0 };
  const tenThousandths = Number(divide(part * 10_000n, whole, 'half-up'));
  return { part: tenThousandths / 10_000, rest: (10_000 - tenThousandths) / 10_000 };
}

/** Rounds half up to two decimals; for values that are not negative. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

import { divide } from '../../lib/decimal.ts';

/** A part and the rest of a whole, each with four decimals; together 1, or 0 and 0 of nothing. */
export interface Shares {
  readonly part: number;
  readonly rest: number;
}

/** Rounds the part half up and makes the rest of it, so that their texts add to 1. */
export function sharesOf(part: bigint, whole: bigint): Shares {
  if (whole === 0n) return { part: 0, rest: 0 };
  const tenThousandths = Number(divide(part * 10_000n, whole, 'half-up'));
  return { part: tenThousandths / 10_000, rest: (10_000 - tenThousandths) / 10_000 };
}

/** Two decimals, half up; for figures that are never negative. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

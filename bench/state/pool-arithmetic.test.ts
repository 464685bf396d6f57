import { expect, test } from 'vitest';
import { inputOf, outputOf } from './pool-arithmetic.ts';

/** Reserves up to the largest of the market, with inputs from one unit to all of them. */
const CASES = [
  [1, 1_000_000_000, 1_000_000_000_000_000],
  [250_000_000, 30_000_000_000, 1_073_000_000_000_000],
  [999_999_999_999, 1_000_000_000_000_000, 85_000_000_000],
  [1_000_000_000_000_000, 1_000_000_000_000_000, 50_000_000_000_000],
] as const;

test.each(CASES)(
  'an output for %i never lowers the product of the reserves',
  (input, one, other) => {
    const output = outputOf(input, one, other);
    const after = (BigInt(one) + BigInt(input)) * (BigInt(other) - BigInt(output));
    expect(after).toBeGreaterThanOrEqual(BigInt(one) * BigInt(other));
    // Three more units than it pays would lower it: no pool gains more than the rounding.
    const best = (BigInt(input) * BigInt(other)) / (BigInt(one) + BigInt(input));
    expect(best - BigInt(output)).toBeLessThanOrEqual(best < 3n ? best : 3n);
  },
);

test.each(CASES)('an input for an output of %i never lowers it either', (output, one, other) => {
  const left = other > output ? other : output * 2;
  const input = inputOf(output, one, left);
  const after = (BigInt(one) + BigInt(input)) * (BigInt(left) - BigInt(output));
  expect(after).toBeGreaterThanOrEqual(BigInt(one) * BigInt(left));
});

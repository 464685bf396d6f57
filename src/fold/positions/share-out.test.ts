import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOut } from './share-out.ts';

const weight = fc.bigInt({ min: 0n, max: 2n ** 64n });

test('parts add up to the total, never exceed their weight, and are exact to one unit', () => {
  fc.assert(
    fc.property(
      fc.array(weight, { minLength: 1 }),
      fc.bigInt({ min: 0n, max: 1_000n }),
      (weights, k) => {
        const sum = weights.reduce((one, other) => one + other, 0n);
        const total = (sum * k) / 1_000n;
        const parts = shareOut(total, weights);
        expect(parts.reduce((one, other) => one + other, 0n)).toBe(total);
        for (const [index, part] of parts.entries()) {
          const of = weights[index] ?? 0n;
          expect(part >= 0n && part <= of).toBe(true);
          const error = part * sum - total * of;
          expect(
            error <= sum * BigInt(weights.length) && -error <= sum * BigInt(weights.length),
          ).toBe(true);
        }
      },
    ),
  );
});

test('ten units are shared by weights 1, 1 and 1 as 3, 3 and 4', () => {
  expect(shareOut(10n, [1n, 1n, 1n])).toEqual([3n, 3n, 4n]);
  expect(shareOut(5n, [])).toEqual([]);
});

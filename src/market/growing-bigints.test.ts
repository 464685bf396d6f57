import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBigints } from './growing-bigints.ts';

const edges = [
  0n,
  2n ** 64n - 1n,
  2n ** 64n,
  2n ** 127n,
  2n ** 128n - 1n,
  2n ** 128n,
  -1n,
  -(2n ** 64n),
];
const amounts = fc.option(
  fc.oneof(fc.bigInt({ min: -(2n ** 140n), max: 2n ** 140n }), fc.constantFrom(...edges)),
);
const writes = fc.array(fc.record({ at: fc.nat(2_000), amount: amounts }), { maxLength: 60 });

test('exact amounts of any size, and null, are read as they were last set', () => {
  fc.assert(
    fc.property(writes, (all) => {
      const column = new GrowingBigints();
      const expected = new Map<number, bigint | null>();
      for (const { at, amount } of all) {
        column.set(at, amount);
        expected.set(at, amount);
      }
      for (let at = 0; at <= 2_001; at++) expect(column.get(at)).toBe(expected.get(at) ?? null);
    }),
    { numRuns: 50 },
  );
});

test('the largest amounts that look like a mark are none', () => {
  const column = new GrowingBigints();
  const high = (word: bigint) => word << 64n;
  const near = [2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 64n - 3n].map(high);
  for (const [at, amount] of near.entries()) column.set(at, amount);
  expect(near.map((_, at) => column.get(at))).toEqual(near);
  column.set(0, null);
  column.set(1, 5n);
  expect([0, 1, 2].map((at) => column.get(at))).toEqual([null, 5n, near[2]]);
});

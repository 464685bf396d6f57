import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PassingFigures } from './passing-figures.ts';

type Name = 'volume' | 'change';
const USUAL = { volume: 0, change: Number.NaN };

const steps = fc.array(
  fc.record({
    row: fc.nat(30),
    name: fc.constantFrom<Name>('volume', 'change'),
    value: fc.constantFrom(0, 1, 2.5, Number.NaN),
    isReset: fc.boolean(),
  }),
  { maxLength: 100 },
);

function read(figures: PassingFigures<Name>, row: number, name: Name): number | undefined {
  return figures.of(name)?.[figures.placeOf(row)];
}

test('rows have what was set last, and the usual figures before and after', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const figures = new PassingFigures<Name>(USUAL);
      const expected = new Map<number, Record<Name, number>>();
      for (const { row, name, value, isReset } of all) {
        if (isReset) {
          figures.reset(row);
          expected.delete(row);
        } else {
          figures.set(row, name, value);
          expected.set(row, { ...(expected.get(row) ?? USUAL), [name]: value });
        }
      }
      for (let row = 0; row <= 31; row++) {
        for (const name of ['volume', 'change'] as const) {
          expect(read(figures, row, name)).toBe((expected.get(row) ?? USUAL)[name]);
        }
      }
    }),
  );
});

test('rows with the usual figures, and places that were given back, take no more memory', () => {
  const figures = new PassingFigures<Name>(USUAL);
  for (let row = 0; row < 100_000; row++) figures.set(row, 'volume', 0);
  for (let row = 0; row < 100_000; row++) {
    figures.set(row, 'change', 1);
    figures.reset(row);
  }
  // 4 bytes a row and a quarter of room, and the least that arrays of two figures have.
  expect(figures.allocatedBytes).toBeLessThanOrEqual(100_000 * 4 * 1.25 + 1_024 * 16);
});

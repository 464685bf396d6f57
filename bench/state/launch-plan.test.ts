import { expect, test } from 'vitest';
import { attractionOf, tradingSlotsOf } from './launch-plan.ts';
import { SLOTS_PER_HOUR } from './market-options.ts';

const ROWS = 100_000;

function shareOfRows(isCounted: (row: number) => boolean): number {
  let counted = 0;
  for (let row = 0; row < ROWS; row++) if (isCounted(row)) counted++;
  return counted / ROWS;
}

test('four of five launches stop trading within 48 hours, and a third within ten minutes', () => {
  expect(shareOfRows((row) => tradingSlotsOf(row) <= 48 * SLOTS_PER_HOUR)).toBeCloseTo(0.8, 2);
  expect(shareOfRows((row) => tradingSlotsOf(row) <= SLOTS_PER_HOUR / 6)).toBeCloseTo(0.35, 2);
});

test('the other launches live on', () => {
  expect(shareOfRows((row) => tradingSlotsOf(row) === Number.POSITIVE_INFINITY)).toBeCloseTo(
    0.2,
    2,
  );
});

test('every launch attracts somebody, and one of a hundred nearly everybody', () => {
  expect(shareOfRows((row) => attractionOf(row) > 0 && attractionOf(row) <= 1)).toBe(1);
  // 0.99 to the power of 16 is 0.85, so 0.855 is exceeded by that hundredth.
  expect(shareOfRows((row) => attractionOf(row) > 0.855)).toBeCloseTo(0.01, 2);
});

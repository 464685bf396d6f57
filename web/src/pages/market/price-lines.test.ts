import { expect, test } from 'vitest';
import { toLine } from './price-lines.ts';

test('a line has the newest prices of its window, and says where in it they begin', () => {
  expect(toLine([1, 2, 3, 4, 5], 4)).toEqual({ prices: [2, 3, 4, 5], start: 0 });
  expect(toLine([1, 2], 4)).toEqual({ prices: [1, 2], start: 0.5 });
});

test('fewer than two prices are no line', () => {
  expect(toLine([], 4)).toBeNull();
  expect(toLine([1], 4)).toBeNull();
  expect(toLine([Number.NaN, 1], 4)).toBeNull();
});

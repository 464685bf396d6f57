import { expect, test } from 'vitest';
import { sparkLine } from './spark-line.ts';

const BOX = { width: 100, height: 20 };

test('a line fills its box, the highest value at the top', () => {
  expect(sparkLine([1, 3, 2], BOX)).toBe('M0.0 20.0L50.0 0.0L100.0 10.0');
});

test('equal values are a line in the middle', () => {
  expect(sparkLine([7, 7], BOX)).toBe('M0.0 10.0L100.0 10.0');
});

import { expect, test } from 'vitest';
import { sparkLine } from './spark-line.ts';

const BOX = { width: 100, height: 20 };

test('a line begins where its first value is in the window, and has the highest at the top', () => {
  expect(sparkLine([1, 3, 2], 0, BOX)).toBe('M0.0 20.0L50.0 0.0L100.0 10.0');
  expect(sparkLine([1, 3], 0.5, BOX)).toBe('M50.0 20.0L100.0 0.0');
});

test('equal values are a line in the middle', () => {
  expect(sparkLine([7, 7], 0, BOX)).toBe('M0.0 10.0L100.0 10.0');
});

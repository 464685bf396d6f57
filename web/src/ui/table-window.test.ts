import { expect, test } from 'vitest';
import { windowOf } from './table-window.ts';

test.each([
  // Rows, scrolled, height: rows of 30 pixels.
  [500, 0, 300, { first: 0, end: 18 }],
  [500, 3_000, 300, { first: 92, end: 118 }],
  [500, 14_700, 300, { first: 482, end: 500 }],
  [5, 0, 300, { first: 0, end: 5 }],
  [0, 0, 300, { first: 0, end: 0 }],
  // The list became shorter than it is scrolled.
  [10, 14_700, 300, { first: 9, end: 10 }],
])('of %s rows scrolled by %s pixels in %s pixels', (rows, scrolledPx, heightPx, expected) => {
  expect(windowOf(rows, 30, scrolledPx, heightPx)).toEqual(expected);
});

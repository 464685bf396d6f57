import { expect, test } from 'vitest';
import { formatShare } from './format-share.ts';

test.each([
  [1, 1, 4, '1.0000'],
  [99_999, 100_000, 4, '0.9999'],
  [2, 3, 2, '0.66'],
  [0, 7, 4, '0.0000'],
  [29, 100, 2, '0.29'],
])(
  '%i of %i with %i decimals is formatted as %s, never rounded up',
  (part, whole, decimals, text) => {
    expect(formatShare(part, whole, decimals)).toBe(text);
  },
);

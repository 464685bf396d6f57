import { expect, test } from 'vitest';
import { parseSize } from './size-option.ts';

test('sizes have a unit of 1,024', () => {
  expect(parseSize('64KiB')).toBe(65_536);
  expect(parseSize('256MiB')).toBe(268_435_456);
  expect(parseSize('2GiB')).toBe(2_147_483_648);
});

test('anything else is refused', () => {
  for (const text of ['', '256', '256MB', '-1MiB', '1.5GiB']) {
    expect(() => parseSize(text)).toThrow(RangeError);
  }
});

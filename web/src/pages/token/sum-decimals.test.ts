import { expect, test } from 'vitest';
import { subtractDecimals, sumDecimals } from './sum-decimals.ts';

test('sums are exact, whatever binary fractions would make of them', () => {
  expect(sumDecimals(['0.1', '0.2'])).toBe('0.3');
  expect(sumDecimals(['123456789012345678.000000001', '-0.000000001', null])).toBe(
    '123456789012345678',
  );
});

test('nothing known has no sum', () => {
  expect(sumDecimals([])).toBeNull();
  expect(sumDecimals([null])).toBeNull();
});

test('differences may be negative, and are unknown if a part is', () => {
  expect(subtractDecimals('1', '2.5')).toBe('-1.5');
  expect(subtractDecimals('1', '-2.5')).toBe('3.5');
  expect(subtractDecimals('1', null)).toBeNull();
});

import { describe, expect, test } from 'vitest';
import {
  formatChange,
  formatCompact,
  formatExact,
  formatPercent,
  formatPrice,
  formatPriceUsd,
  formatUsd,
  signOf,
} from './numbers.ts';

describe('formatPrice', () => {
  test.each([
    [null, '–'],
    ['0', '0'],
    ['0.000000', '0'],
    ['1', '1'],
    ['1.50', '1.5'],
    ['1234.567', '1,234.57'],
    ['123.45678', '123.4568'],
    ['0.5', '0.5'],
    ['0.034628', '0.03463'],
    ['0.000346289', '0.0003463'],
    // Four zeros after the point are counted.
    ['0.0000123456', '0.0₄1235'],
    ['0.00000000000000012', '0.0₁₅12'],
    // Rounded to four digits it has three zeros, which are not counted.
    ['0.0000999999', '0.0001'],
    ['-0.0000123456', '−0.0₄1235'],
    ['123456789012345678901234567890.5', '123,456,789,012,345,678,901,234,567,890.5'],
    ['not a number', 'not a number'],
  ])('%s is %s', (text, expected) => {
    expect(formatPrice(text)).toBe(expected);
  });
});

describe('formatCompact', () => {
  test.each([
    [null, '–'],
    ['0', '0'],
    ['0.001', '<0.01'],
    ['-0.001', '>−0.01'],
    ['0.126', '0.13'],
    ['950', '950'],
    ['999.6', '1K'],
    ['1234', '1.23K'],
    ['12345.67', '12.3K'],
    ['999999', '1M'],
    ['346289.00', '346K'],
    ['1000000000', '1B'],
    ['-18420.11', '−18.4K'],
    ['9999999999999999', '10,000T'],
  ])('%s is %s', (text, expected) => {
    expect(formatCompact(text)).toBe(expected);
  });
});

test.each([
  ['18420.11', '$18.4K'],
  ['-4', '−$4'],
  ['0.001', '<$0.01'],
  ['-0.001', '>−$0.01'],
  [null, '–'],
])('%s dollars are %s', (text, expected) => {
  expect(formatUsd(text)).toBe(expected);
});

test.each([
  ['0.0000123456', '$0.0₄1235'],
  ['-2', '−$2'],
  [null, '–'],
])('a price of %s dollars is %s', (text, expected) => {
  expect(formatPriceUsd(text)).toBe(expected);
});

test('percentages are of fractions, rounded half away from zero', () => {
  expect(formatPercent('0.125')).toBe('12.5%');
  expect(formatPercent('0.12345', { digits: 2 })).toBe('12.35%');
  expect(formatPercent('0.1250', { isSigned: true })).toBe('+12.5%');
  expect(formatPercent('-0.0004', { isSigned: true })).toBe('0.0%');
  expect(formatPercent('-0.5', { isSigned: true })).toBe('−50.0%');
  expect(formatPercent('12', { digits: 0 })).toBe('1,200%');
  expect(formatPercent('999.994')).toBe('99,999.4%');
  // From a hundred thousand on short, as after a pool was emptied.
  expect(formatPercent('11818679.628', { isSigned: true })).toBe('+1.18B%');
  expect(formatPercent('-12345')).toBe('−1.23M%');
  expect(formatPercent(null)).toBe('–');
});

test('exact values lose nothing', () => {
  expect(formatExact('12345678901234567890.123456789012345678')).toBe(
    '12,345,678,901,234,567,890.123456789012345678',
  );
});

test('the sign of zero is none', () => {
  expect([signOf('-0.00'), signOf('-0.01'), signOf('3'), signOf(null)]).toEqual([0, -1, 1, 0]);
});

test.each([
  ['0.125', '+12.5%'],
  ['-0.03', '−3.0%'],
  ['0', '0.0%'],
  ['99.99', '+9,999.0%'],
  ['100', '+10K%'],
  ['5319503.094', '+532M%'],
  [null, '–'],
])('a change of %s is written as %s', (text, expected) => {
  expect(formatChange(text)).toBe(expected);
});

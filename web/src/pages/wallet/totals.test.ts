import { expect, test } from 'vitest';
import { totalOf } from './totals.ts';

test('known decimals are summed exactly, also where binary fractions are not', () => {
  expect(totalOf(['0.10', '0.20', null, '-1.00'])).toBe('-0.70');
  expect(totalOf(['9007199254740993.01', '0.01'])).toBe('9007199254740993.02');
});

test('of nothing known there is no sum', () => {
  expect(totalOf([null])).toBeNull();
  expect(totalOf([])).toBeNull();
});

test('more fraction digits are rounded after the sum', () => {
  expect(totalOf(['0.004', '0.004'])).toBe('0.01');
});

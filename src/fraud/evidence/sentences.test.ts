import { expect, test } from 'vitest';
import { chanceText } from './sentences.ts';

test('a chance is said in words that need no powers of ten, to two digits', () => {
  expect(chanceText(0)).toBe('1 in 1');
  expect(chanceText(Math.log10(40))).toBe('1 in 40');
  expect(chanceText(3)).toBe('1 in 1 thousand');
  // 10 to the 10.1 is 12,589,254,118.
  expect(chanceText(10.1)).toBe('1 in 13 billion');
  expect(chanceText(Math.log10(999_600))).toBe('1 in 1 million');
  expect(chanceText(Math.log10(2.5e12))).toBe('1 in 2.5 trillion');
});

test('chances without a word for them are powers of ten', () => {
  expect(chanceText(15)).toBe('1 in 10^15.0');
  expect(chanceText(40.26)).toBe('1 in 10^40.3');
});

import { expect, test } from 'vitest';
import { byteSizeText, parseByteSize } from './byte-size.ts';

test('sizes have a unit of 1,024', () => {
  expect(parseByteSize('64KiB')).toBe(65_536);
  expect(parseByteSize('256MiB')).toBe(268_435_456);
  expect(parseByteSize('2GiB')).toBe(2_147_483_648);
});

test('anything else is no size', () => {
  for (const text of ['', '256', '256MB', '256 MiB', '-1MiB', '1.5GiB', '1GiB\n', '9999999GiB']) {
    expect(parseByteSize(text)).toBeNull();
  }
});

test('any number of bytes has a text that is a size of at most as many', () => {
  // A third of 23.54 GiB, as a machine reports it, is 8,425,353,216 bytes and a few.
  expect(byteSizeText(8_425_353_300)).toBe('8035MiB');
  expect(parseByteSize(byteSizeText(8_425_353_300))).toBe(8_425_308_160);
  expect(byteSizeText(268_435_456)).toBe('256MiB');
  expect(byteSizeText(5)).toBe('1MiB');
});

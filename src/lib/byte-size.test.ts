import { expect, test } from 'vitest';
import { parseByteSize } from './byte-size.ts';

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

import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [null, '–'],
  [0, '0 bytes'],
  [1_023, '1023 bytes'],
  [1_024, '1.0 KiB'],
  [1_610_612_736, '1.5 GiB'],
  [2 ** 50, '1024.0 TiB'],
])('%s bytes are written as %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});

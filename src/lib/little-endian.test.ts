import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readU32, readU64 } from './little-endian.ts';

const U64_MAX = 2n ** 64n - 1n;

describe('integers read from bytes', () => {
  test('equal those of a DataView at any offset', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 100 }), fc.nat(92), (bytes, at) => {
        const offset = Math.min(at, bytes.length - 8);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        expect(readU64(bytes, offset)).toBe(view.getBigUint64(offset, true));
        expect(readU32(bytes, offset)).toBe(view.getUint32(offset, true));
      }),
    );
  });

  test.each([
    0n,
    1n,
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    U64_MAX,
  ])('are exact at %s', (value) => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    expect(readU64(bytes, 0)).toBe(value);
  });

  test('treat missing bytes as zeros', () => {
    expect(readU64(new Uint8Array([1, 2]), 1)).toBe(2n);
    expect(readU32(new Uint8Array(), 0)).toBe(0);
  });
});

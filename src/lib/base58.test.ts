import { getBase58Codec } from '@solana/kit';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase58, encodeBase58, isBase58Of32Bytes } from './base58.ts';

const kit = getBase58Codec();

describe('base58', () => {
  test.each([
    ['', ''],
    ['00', '1'],
    ['0000', '11'],
    ['61', '2g'],
    ['00000000000000000000', '1111111111'],
    ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
  ])('agrees with the published vector %s', (hex, text) => {
    expect(encodeBase58(Buffer.from(hex, 'hex'))).toBe(text);
    expect(Buffer.from(decodeBase58(text) ?? []).toString('hex')).toBe(hex);
  });

  test('encodes and decodes any bytes as two libraries do', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        const text = encodeBase58(bytes);
        expect(text).toBe(bs58.encode(bytes));
        expect(decodeBase58(text)).toEqual(bytes);
        expect(kit.decode(bytes)).toBe(text);
      }),
    );
  });

  test('round-trips keys and signatures with leading zeros and all-ones bytes', () => {
    for (const size of [32, 64]) {
      for (const bytes of [new Uint8Array(size), new Uint8Array(size).fill(255)]) {
        for (let zeros = 0; zeros <= size; zeros += 7) {
          const padded = bytes.slice().fill(0, 0, zeros);
          expect(encodeBase58(padded)).toBe(bs58.encode(padded));
          expect(decodeBase58(bs58.encode(padded))).toEqual(padded);
        }
      }
    }
  });

  test('reads a part of a larger buffer', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, index) => index * 7);
    expect(encodeBase58(bytes, 10, 42)).toBe(bs58.encode(bytes.subarray(10, 42)));
  });

  test.each(['0', 'O', 'I', 'l', 'abc ', 'é', '\u0000', '1'.repeat(9_000)])(
    'refuses text outside the alphabet or beyond any message',
    (text) => {
      expect(decodeBase58(text)).toBeNull();
    },
  );
});

describe('isBase58Of32Bytes', () => {
  test.each([
    ['11111111111111111111111111111111', true],
    ['So11111111111111111111111111111111111111112', true],
    ['1'.repeat(31), false],
    ['1'.repeat(33), false],
    ['1'.repeat(44), false],
    ['z'.repeat(44), false],
    ['So1111111111111111111111111111111111111111O', false],
    ['', false],
  ])('%s is %s', (text, expected) => {
    expect(isBase58Of32Bytes(text)).toBe(expected);
  });
});

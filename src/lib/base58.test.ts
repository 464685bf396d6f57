import { getBase58Codec } from '@solana/kit';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase58, encodeBase58, isBase58Of32Bytes, isBase58Of64Bytes } from './base58.ts';

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

  test('encodes and decodes any bytes like two other libraries', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700, size: 'max' }), (bytes) => {
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

  test('encodes a part of a larger buffer', () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, index) => index * 7);
    expect(encodeBase58(bytes, 10, 42)).toBe(bs58.encode(bytes.subarray(10, 42)));
  });

  test('decodes texts around the length at which the method changes, and the longest', () => {
    for (const size of [139, 140, 141, 142, 1_232, 2_048]) {
      const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 37) % 256);
      for (const zeros of [0, 1, 60]) {
        const padded = bytes.slice().fill(0, 0, zeros);
        expect(decodeBase58(bs58.encode(padded))).toEqual(padded);
      }
    }
  });

  test('rejects a long text with one invalid character at any position', () => {
    const text = '2'.repeat(300);
    for (const at of [0, 1, 150, 298, 299]) {
      expect(decodeBase58(`${text.slice(0, at)}0${text.slice(at + 1)}`)).toBeNull();
    }
  });

  test.each(['0', 'O', 'I', 'l', 'abc ', 'é', '\u0000', '1'.repeat(9_000)])(
    'rejects text outside the alphabet or longer than any message',
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

describe('the size of base58 text', () => {
  test('is the size that decoding would give, for keys and signatures', () => {
    const anySize = fc
      .integer({ min: 28, max: 68 })
      .chain((size) =>
        fc.tuple(
          fc.uint8Array({ minLength: size, maxLength: size }),
          fc.constantFrom(null, 0, 1, 255),
          fc.nat(4),
        ),
      );
    fc.assert(
      fc.property(anySize, ([bytes, first, count]) => {
        if (first !== null) bytes.fill(first, 0, count);
        const text = bs58.encode(bytes);
        expect(isBase58Of32Bytes(text)).toBe(bytes.length === 32);
        expect(isBase58Of64Bytes(text)).toBe(bytes.length === 64);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is exact at both ends of its range', () => {
    for (const [size, check] of [
      [32, isBase58Of32Bytes],
      [64, isBase58Of64Bytes],
    ] as const) {
      const smallest = new Uint8Array(size).fill(1, 0, 1);
      const oneBelow = new Uint8Array(size - 1).fill(255);
      const largest = new Uint8Array(size).fill(255);
      const oneAbove = new Uint8Array(size + 1).fill(1, 0, 1);
      expect(
        [smallest, oneBelow, largest, oneAbove].map((bytes) => check(bs58.encode(bytes))),
      ).toEqual([true, false, true, false]);
    }
  });

  test('is never accepted for text outside the alphabet', () => {
    expect(isBase58Of32Bytes(`So1111111111111111111111111111111111111111${'l'}2`)).toBe(false);
    expect(isBase58Of32Bytes(`So111111111111111111111111111111111111111${'é'}12`)).toBe(false);
  });
});

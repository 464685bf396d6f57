import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSignature, encodeSignature } from './signature-text.ts';

/** Signatures of 64 bytes, some of them starting with zeros. */
const signatures = fc
  .tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constantFrom(0, 0, 1, 2, 63, 64))
  .map(([bytes, zeros]) => bytes.fill(0, 0, zeros));

function decoded(text: string): Uint8Array | null {
  const bytes = new Uint8Array(64);
  return decodeSignature(text, bytes) ? bytes : null;
}

/** Another library's decoding of a text, if it has 64 bytes. */
function expectedOf(text: string): Uint8Array | null {
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === 64 ? Uint8Array.from(bytes) : null;
}

describe('signatures as text', () => {
  test('are encoded as by another library, at any offset', () => {
    fc.assert(
      fc.property(signatures, fc.nat(9), (signature, start) => {
        const page = new Uint8Array(start + 70).fill(171);
        page.set(signature, start);
        expect(encodeSignature(page, start)).toBe(bs58.encode(signature));
      }),
      { numRuns: 2_000 },
    );
  });

  test('are decoded as by another library', () => {
    fc.assert(
      fc.property(signatures, (signature) => {
        expect(decoded(bs58.encode(signature))).toEqual(signature);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['the smallest', new Uint8Array(64)],
    ['one', new Uint8Array(64).fill(1, 63)],
    ['the largest', new Uint8Array(64).fill(255)],
    ['the largest except for its first byte', new Uint8Array(64).fill(255, 1)],
  ])('are encoded and decoded: %s', (_, signature) => {
    expect(encodeSignature(signature, 0)).toBe(bs58.encode(signature));
    expect(decoded(bs58.encode(signature))).toEqual(signature);
  });

  test('are rejected with fewer or more bytes, other characters, or a value beyond 2^512', () => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const texts = fc.oneof(
      fc.uint8Array({ minLength: 60, maxLength: 68 }).map((bytes) => bs58.encode(bytes)),
      fc.string({ unit: fc.constantFrom(...alphabet), minLength: 80, maxLength: 92 }),
      fc.string({ unit: fc.constantFrom(...alphabet, '0', 'O', 'l', 'é', '🂡'), maxLength: 92 }),
      fc.constantFrom('', '1'.repeat(63), '1'.repeat(64), '1'.repeat(65), 'z'.repeat(88)),
      fc
        .tuple(fc.nat(64), fc.nat(64))
        .map(([ones, others]) => '1'.repeat(ones) + 'z'.repeat(others)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(decoded(text)).toEqual(expectedOf(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

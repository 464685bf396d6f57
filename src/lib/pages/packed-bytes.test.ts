import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packedLengthMax, packWords, unpackWords } from './packed-bytes.ts';

function packed(bytes: Uint8Array): Uint8Array {
  const words = new Uint32Array(Uint8Array.from(bytes).buffer);
  const target = new Uint8Array(packedLengthMax(bytes.length));
  return target.slice(0, packWords(words, 0, words.length, target));
}

function unpacked(bytes: Uint8Array, length: number): Uint8Array | null {
  const target = new Uint8Array(length).fill(0xaa);
  return unpackWords(bytes, new Uint32Array(target.buffer), 0, length / 4) ? target : null;
}

const words = fc.array(
  fc.oneof(
    fc.constant(new Uint8Array(8)),
    fc.uint8Array({ minLength: 8, maxLength: 8 }),
    fc.uint8Array({ min: 1, minLength: 8, maxLength: 8 }),
  ),
  { maxLength: 600 },
);

describe('packed bytes', () => {
  test('are those of the examples in the encoding specification of Cap’n Proto', () => {
    const example = Buffer.from('080000000300020019000000aa010000', 'hex');
    expect(Buffer.from(packed(example)).toString('hex')).toBe('5108030231' + '19aa01');
    const zeros = new Uint8Array(16);
    expect([...packed(zeros)]).toEqual([0, 1]);
    const text = Buffer.from('8a8b8c8d8e8f9091', 'hex');
    expect(Buffer.from(packed(text)).toString('hex')).toBe('ff8a8b8c8d8e8f909100');
  });

  test('unpack to what they were packed from, within the length promised', () => {
    fc.assert(
      fc.property(words, (drawn) => {
        const bytes = Buffer.concat(drawn);
        const short = packed(bytes);
        expect(short.length).toBeLessThanOrEqual(packedLengthMax(bytes.length));
        expect(unpacked(short, bytes.length)).toEqual(Uint8Array.from(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test('of any other content or length are refused, and write nothing beyond their target', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(20), (bytes, count) => {
        const target = new Uint8Array(count * 8 + 16).fill(0xaa);
        const isWhole = unpackWords(bytes, new Uint32Array(target.buffer), 2, count * 2);
        expect([...target.subarray(0, 8)]).toEqual(Array(8).fill(0xaa));
        expect([...target.subarray(8 + count * 8)]).toEqual(Array(8).fill(0xaa));
        if (!isWhole) return;
        const again = packed(target.slice(8, 8 + count * 8));
        expect(unpacked(again, count * 8)).toEqual(target.slice(8, 8 + count * 8));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of the wrong length are refused', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, index) => (index % 3) * 7);
    const short = packed(bytes);
    for (let length = 0; length < short.length; length++) {
      expect(unpacked(short.slice(0, length), 64)).toBeNull();
    }
    expect(unpacked(short, 56)).toBeNull();
    expect(unpacked(short, 72)).toBeNull();
  });
});

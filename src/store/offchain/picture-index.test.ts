import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openOffchainPlane } from './offchain-plane.ts';
import {
  bitsApart,
  hashParts,
  isDistinctive,
  PictureIndex,
  SIMILAR_BITS_MAX,
} from './picture-index.ts';

/** The bits of a hash as a text of 0 and 1, to count them in another way. */
function bitsOf(hash64: string): string {
  return BigInt(`0x${hash64}`).toString(2).padStart(64, '0');
}

function flipped(hash64: string, places: readonly number[]): string {
  const bits = [...bitsOf(hash64)];
  for (const place of places) bits[place] = bits[place] === '0' ? '1' : '0';
  return BigInt(`0b${bits.join('')}`)
    .toString(16)
    .padStart(16, '0');
}

function indexOf(hashes: readonly string[]): PictureIndex {
  const database = openOffchainPlane(':memory:');
  const insert = database.prepare('INSERT OR IGNORE INTO hashes VALUES (?, ?, ?, ?, ?)');
  for (const hash64 of hashes) insert.run(hash64, ...hashParts(hash64));
  return new PictureIndex(database);
}

const HASH = 'ba8c84536bd3c366';
const anyHash = fc
  .bigInt({ min: 0n, max: 2n ** 64n - 1n })
  .map((value) => value.toString(16).padStart(16, '0'));
const places = fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: 9 });

describe('bitsApart', () => {
  it('counts the bits in which two hashes differ', () => {
    expect(bitsApart('0000000000000000', 'ffffffffffffffff')).toBe(64);
    expect(bitsApart('8000000000000001', '0000000000000000')).toBe(2);
    fc.assert(
      fc.property(anyHash, places, (hash64, flips) => {
        expect(bitsApart(hash64, flipped(hash64, flips))).toBe(flips.length);
      }),
    );
  });
});

describe('PictureIndex', () => {
  it('finds exactly the hashes within 6 bits, like a comparison with all of them', () => {
    fc.assert(
      fc.property(
        anyHash.filter((hash64) => isDistinctive(hash64)),
        fc.array(places, { maxLength: 12 }),
        fc.array(anyHash, { maxLength: 20 }),
        (hash64, nearBy, others) => {
          const hashes = [...others, ...nearBy.map((flips) => flipped(hash64, flips))];
          const expected = new Map<string, number>();
          for (const one of hashes) {
            const bits = [...bitsOf(one)].filter((bit, at) => bit !== bitsOf(hash64)[at]).length;
            const ones = bitsOf(one).replaceAll('0', '').length;
            if (bits <= SIMILAR_BITS_MAX && ones >= 24) expected.set(one, bits);
          }
          const found = indexOf(hashes).near(hash64);
          expect(new Map(found.map((one) => [one.hash64, one.bits]))).toEqual(expected);
          const distances = found.map(({ bits }) => bits);
          expect(distances).toEqual(distances.toSorted((one, other) => one - other));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds a hash whose six differing bits are spread over all four parts', () => {
    // Two differing bits in two parts and one in the others: no part is equal.
    const other = flipped(HASH, [0, 5, 17, 33, 40, 63]);
    expect(indexOf([other]).near(HASH)).toEqual([{ hash64: other, bits: 6 }]);
    expect(indexOf([flipped(other, [1])]).near(HASH)).toEqual([]);
  });

  it('ignores hashes with few ones, which are not distinctive', () => {
    const gradient = '8000000000000000';
    expect(indexOf([gradient]).near(gradient)).toEqual([]);
    expect(indexOf([HASH]).near(HASH)).toEqual([{ hash64: HASH, bits: 0 }]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addBlockHash } from './block-hash.ts';

function hashOf(words: Uint32Array, block: number): string {
  const sums = new Uint32Array(4);
  addBlockHash(words, 0, Math.floor(block / 32), block % 32, sums, 0, 1);
  return Array.from(sums, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** MurmurHash3_x86_128 with bigints, after the reference implementation, for 32 bytes. */
function referenceOf(words: readonly number[], seed: number): string {
  const mask = 0xffff_ffffn;
  const rotated = (word: bigint, bits: bigint) => ((word << bits) | (word >> (32n - bits))) & mask;
  const c = [0x239b961bn, 0xab0e9789n, 0x38b34ae5n, 0xa1e38b93n] as const;
  const h = Array<bigint>(4).fill(BigInt(seed >>> 0));
  const at = (list: readonly bigint[], index: number) => list[index % 4] ?? 0n;
  const steps = [
    [15n, 19n, 0x561ccd1bn],
    [16n, 17n, 0x0bcaa747n],
    [17n, 15n, 0x96cd1c35n],
    [18n, 13n, 0x32ac3b17n],
  ] as const;
  for (const from of [0, 4]) {
    for (const [index, [k, r, add]] of steps.entries()) {
      let word = BigInt(words[from + index] ?? 0);
      word = (rotated((word * at(c, index)) & mask, k) * at(c, index + 1)) & mask;
      h[index] = rotated(at(h, index) ^ word, r);
      h[index] = (((at(h, index) + at(h, index + 1)) & mask) * 5n + add) & mask;
    }
  }
  const mix = () => {
    h[0] = (at(h, 0) + at(h, 1) + at(h, 2) + at(h, 3)) & mask;
    for (const index of [1, 2, 3]) h[index] = (at(h, index) + at(h, 0)) & mask;
  };
  for (const index of [0, 1, 2, 3]) h[index] = at(h, index) ^ 32n;
  mix();
  for (const index of [0, 1, 2, 3]) {
    let word = at(h, index);
    word = ((word ^ (word >> 16n)) * 0x85ebca6bn) & mask;
    word = ((word ^ (word >> 13n)) * 0xc2b2ae35n) & mask;
    h[index] = word ^ (word >> 16n);
  }
  mix();
  return h.map((word) => word.toString(16).padStart(8, '0')).join('');
}

const words = fc.array(fc.nat(2 ** 32 - 1), { minLength: 8, maxLength: 8 });

describe('the hash of a block', () => {
  test('is MurmurHash3_x86_128 with the number of the block as the seed', () => {
    fc.assert(
      fc.property(words, fc.nat(2 ** 32 - 1), (drawn, block) => {
        fc.pre(drawn.some((word) => word !== 0));
        expect(hashOf(Uint32Array.from(drawn), block)).toBe(referenceOf(drawn, block));
      }),
    );
  });

  test('differs between blocks whose numbers have the same lower 32 bits', () => {
    fc.assert(
      fc.property(words, fc.nat(2 ** 32 - 1), (drawn, lower) => {
        fc.pre(drawn.some((word) => word !== 0));
        const blocks = Array.from({ length: 32 }, (_, upper) => upper * 2 ** 32 + lower);
        const hashes = blocks.map((block) => hashOf(Uint32Array.from(drawn), block));
        expect(new Set(hashes).size).toBe(blocks.length);
      }),
    );
  });

  test('is nothing for a block of zeros', () => {
    expect(hashOf(new Uint32Array(8), 5)).toBe('0'.repeat(32));
  });

  test('can be added and subtracted in any order', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (blocks) => {
        const sums = new Uint32Array(4);
        const add = (drawn: readonly number[], block: number, sign: 1 | -1) =>
          addBlockHash(Uint32Array.from(drawn), 0, 0, block, sums, 0, sign);
        for (const [block, drawn] of blocks.entries()) add(drawn, block, 1);
        for (const [block, drawn] of [...blocks.entries()].reverse()) add(drawn, block, -1);
        expect([...sums]).toEqual([0, 0, 0, 0]);
      }),
    );
  });

  test('differs between any two places and contents, as far as a hundred thousand show', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 50_000; index++) {
      const one = new Uint32Array(8);
      one[index % 8] = 1 + (index >>> 3);
      seen.add(hashOf(one, 0)).add(hashOf(Uint32Array.of(1, 0, 0, 0, 0, 0, 0, 0), index + 1));
    }
    expect(seen.size).toBe(100_000);
  });
});

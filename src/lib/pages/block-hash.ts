import { BLOCK_WORDS } from './page-layout.ts';

/** Words of a block's hash, and of a sum of hashes. */
export const HASH_WORDS = 4;

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/**
 * Adds the hash of a block to a sum of hashes, or subtracts it: the sum depends on which blocks
 * have which contents, not on the order of changes. A block of zeros adds nothing, so unused memory
 * does not count.
 *
 * The hash is MurmurHash3_x86_128 (Appleby, 2011) of the block's 32 bytes, with the block's number
 * as the seed; each of its four words is added modulo 2^32. The number is 32 times that of the page
 * plus `block`, which is that of the block in its page. Of its 37 bits the upper five change the
 * seed of two of the words, so that blocks with the same lower bits have different hashes.
 */
export function addBlockHash(
  words: Uint32Array,
  at: number,
  page: number,
  block: number,
  sums: Uint32Array,
  sumAt: number,
  sign: 1 | -1,
): void {
  let any = 0;
  for (let index = 0; index < BLOCK_WORDS; index++) any |= words[at + index] as number;
  if (any === 0) return;
  let h1 = (page << 5) | block;
  let h2 = h1;
  let h3 = h1 ^ (page >>> 27);
  let h4 = h3;
  for (let from = at; from < at + BLOCK_WORDS; from += 4) {
    let k = Math.imul(words[from] as number, C1);
    h1 ^= Math.imul((k << 15) | (k >>> 17), C2);
    h1 = Math.imul(((h1 << 19) | (h1 >>> 13)) + h2, 5) + 0x561ccd1b;
    k = Math.imul(words[from + 1] as number, C2);
    h2 ^= Math.imul((k << 16) | (k >>> 16), C3);
    h2 = Math.imul(((h2 << 17) | (h2 >>> 15)) + h3, 5) + 0x0bcaa747;
    k = Math.imul(words[from + 2] as number, C3);
    h3 ^= Math.imul((k << 17) | (k >>> 15), C4);
    h3 = Math.imul(((h3 << 15) | (h3 >>> 17)) + h4, 5) + 0x96cd1c35;
    k = Math.imul(words[from + 3] as number, C4);
    h4 ^= Math.imul((k << 18) | (k >>> 14), C1);
    h4 = Math.imul(((h4 << 13) | (h4 >>> 19)) + h1, 5) + 0x32ac3b17;
  }
  h1 ^= BLOCK_WORDS * 4;
  h2 ^= BLOCK_WORDS * 4;
  h3 ^= BLOCK_WORDS * 4;
  h4 ^= BLOCK_WORDS * 4;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finished(h1);
  h2 = finished(h2);
  h3 = finished(h3);
  h4 = finished(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  sums[sumAt] = (sums[sumAt] as number) + sign * h1;
  sums[sumAt + 1] = (sums[sumAt + 1] as number) + sign * (h2 + h1);
  sums[sumAt + 2] = (sums[sumAt + 2] as number) + sign * (h3 + h1);
  sums[sumAt + 3] = (sums[sumAt + 3] as number) + sign * (h4 + h1);
}

function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

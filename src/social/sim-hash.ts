/**
 * A 64-bit hash that is similar for similar texts (Charikar 2002): every pair of consecutive words
 * votes with its own hash for or against each bit.
 */
const BITS = 32;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Posts whose hashes differ in at most this many bits are near-duplicates (METHODS §8.3). */
export const NEAR_DUPLICATE_BITS = 3;

/** Parts that differ between copies of a text: links and handles. */
const CHANGED_BY_COPYING = /(?:https?:\/\/|www\.)\S+|@\w+/gi;
const BETWEEN_WORDS = /[^\p{L}\p{N}$#\p{Extended_Pictographic}]+/u;

export interface SimHash {
  readonly high: number;
  readonly low: number;
}

/** Null for a text without words, which has no duplicates. */
export function simHash(text: string): SimHash | null {
  const words = text
    .toLowerCase()
    .replace(CHANGED_BY_COPYING, ' ')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const votes = new Int32Array(2 * BITS);
  for (let at = 0; at < words.length; at++) {
    const pair = `${words[at - 1] ?? ''} ${words[at]}`;
    vote(votes, 0, spread(hashOf(pair, FNV_OFFSET)));
    vote(votes, BITS, spread(hashOf(pair, FNV_PRIME)));
  }
  return { high: wordOf(votes, 0), low: wordOf(votes, BITS) };
}

/** Bits in which two hashes differ, 0 to 64. */
export function simHashDistance(one: SimHash, other: SimHash): number {
  return bitCount(one.high ^ other.high) + bitCount(one.low ^ other.low);
}

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  return hash;
}

/** MurmurHash3's finaliser: without it the upper bits of short texts are similar. */
function spread(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function vote(votes: Int32Array, from: number, hash: number): void {
  for (let bit = 0; bit < BITS; bit++) {
    const at = from + bit;
    votes[at] = (votes[at] as number) + ((hash >>> bit) & 1 ? 1 : -1);
  }
}

function wordOf(votes: Int32Array, from: number): number {
  let word = 0;
  for (let bit = 0; bit < BITS; bit++) {
    if ((votes[from + bit] as number) > 0) word |= 1 << bit;
  }
  return word >>> 0;
}

/** The number of set bits, summed in pairs, nibbles and bytes. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * A MinHash signature of a text (Broder 1997): the share of equal bytes of two signatures estimates the
 * Jaccard similarity of the texts' shingles, pieces of four letters within words (METHODS
 * §13.4). Whatever copies change at no cost is left out: links, handles, tickers, addresses, numbers,
 * emoji, punctuation, capitals, repeated letters and the order of words.
 */
import { normaliseText } from '../text/normalise-text.ts';

/** Three bytes for each of the 21 bands by which similar signatures are found. */
export const HASH_BYTES = 63;
/** The last byte is the number of shingles, at most 255. */
export const SIGNATURE_BYTES = HASH_BYTES + 1;

const SHINGLE_LETTERS = 4;
/** With fewer shingles of words, numbers, tickers and emoji are what the text says. */
const WORD_SHINGLES_MIN = 16;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const CHANGED_BY_COPYING = /(?:https?:\/\/|www\.)\S+|[@$]\w+|[\p{L}]*\p{N}[\p{L}\p{N}]*/giu;
const WORDS = /\p{L}+/gu;
const SIGNS = /[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu;
const LINKS = /(?:https?:\/\/|www\.)\S+|@\w+/gi;
const ADDRESSES = /[\p{L}\p{N}]{32,}/gu;
const APOSTROPHES = /['’`]/g;
const REPEATED = /(\p{L})\1+/gu;

/** Odd factors and offsets, one pair for each byte: a family of hashes from a fixed generator. */
const [FACTORS, OFFSETS] = hashFamily();

/** Null for a text without words, numbers and emoji, which has no copies. */
export function textSignature(text: string): Uint8Array | null {
  const shingles = shinglesOf(text);
  if (shingles.size === 0) return null;
  const least = new Uint32Array(HASH_BYTES).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let at = 0; at < HASH_BYTES; at++) {
      const mixed = Math.imul(shingle ^ (OFFSETS[at] as number), FACTORS[at] as number);
      const hash = (mixed ^ (mixed >>> 15)) >>> 0;
      if (hash < (least[at] as number)) least[at] = hash;
    }
  }
  const signature = new Uint8Array(SIGNATURE_BYTES);
  // The lower bits: least hashes have few upper ones.
  for (let at = 0; at < HASH_BYTES; at++) signature[at] = (least[at] as number) & 0xff;
  signature[HASH_BYTES] = Math.min(0xff, shingles.size);
  return signature;
}

/** Hashes of the distinct shingles of a text: of all its signs when its words have only a few. */
export function shinglesOf(text: string): Set<number> {
  const plain = normaliseText(text).toLowerCase().replace(APOSTROPHES, '');
  const ofWords = shinglesOfWords(plain.replace(CHANGED_BY_COPYING, ' ').match(WORDS) ?? []);
  if (ofWords.size >= WORD_SHINGLES_MIN) return ofWords;
  const signs = plain.replace(LINKS, ' ');
  // A text under the addresses of many tokens is one text; an address alone is a text.
  return shinglesOfWords(signs.replace(ADDRESSES, ' ').match(SIGNS) ?? signs.match(SIGNS) ?? []);
}

function shinglesOfWords(words: readonly string[]): Set<number> {
  const shingles = new Set<number>();
  for (const word of words) {
    const padded = ` ${word.replace(REPEATED, '$1')} `;
    const last = Math.max(0, padded.length - SHINGLE_LETTERS);
    for (let start = 0; start <= last; start++) {
      shingles.add(hashOf(padded.slice(start, start + SHINGLE_LETTERS)));
    }
  }
  return shingles;
}

function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  // MurmurHash3's finaliser: without it the upper bits of short texts are similar.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hashFamily(): readonly [factors: Uint32Array, offsets: Uint32Array] {
  const factors = new Uint32Array(HASH_BYTES);
  const offsets = new Uint32Array(HASH_BYTES);
  for (let at = 0; at < HASH_BYTES; at++) {
    factors[at] = hashOf(`factor ${at}`) | 1;
    offsets[at] = hashOf(`offset ${at}`);
  }
  return [factors, offsets];
}

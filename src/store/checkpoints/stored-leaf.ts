import {
  LOCATION_WORDS,
  type RecordLocation,
  readLocation,
  wordsOf,
  writeLocation,
} from './record-location.ts';

/** Records whose locations are in one leaf of the index. */
export const LEAF_ENTRIES = 512;
export const LEAF_WORDS = LEAF_ENTRIES * LOCATION_WORDS;

/** A location that differs from the one in the base. */
export interface LeafChange {
  readonly entry: number;
  readonly location: RecordLocation | null;
}

/**
 * A leaf as it is stored: all its locations up to the last, and those that have changed since. A
 * checkpoint changes few locations of most leaves, and writes only these until they are many.
 */
export interface StoredLeaf {
  /** Where `content` lies. */
  readonly base: RecordLocation;
  readonly content: Uint8Array;
  readonly changes: readonly LeafChange[];
}

const CHANGE_WORDS = 1 + LOCATION_WORDS;

/** All locations of a leaf. */
export function wordsOfLeaf({ content, changes }: StoredLeaf): Uint32Array {
  const words = new Uint32Array(LEAF_WORDS);
  words.set(wordsOf(content));
  for (const { entry, location } of changes) {
    writeLocation(words, entry * LOCATION_WORDS, location);
  }
  return words;
}

/** The bytes of a leaf up to its last location, as a view; null if it has none. */
export function contentOfLeaf(words: Uint32Array): Uint8Array | null {
  let end = words.length;
  while (end > 0 && words[end - LOCATION_WORDS] === 0) end -= LOCATION_WORDS;
  return end === 0 ? null : new Uint8Array(words.buffer, words.byteOffset, end * 4);
}

/** Changes as bytes: the location of the base, then for each the entry and its location. */
export function encodeLeafChanges(
  base: RecordLocation,
  changes: readonly LeafChange[],
): Uint8Array {
  const words = new Uint32Array(LOCATION_WORDS + changes.length * CHANGE_WORDS);
  writeLocation(words, 0, base);
  for (const [index, { entry, location }] of changes.entries()) {
    const at = LOCATION_WORDS + index * CHANGE_WORDS;
    words[at] = entry;
    writeLocation(words, at + 1, location);
  }
  return new Uint8Array(words.buffer);
}

/** The inverse of `encodeLeafChanges`; null if the bytes are none. */
export function decodeLeafChanges(bytes: Uint8Array): Omit<StoredLeaf, 'content'> | null {
  const words = wordsOf(bytes);
  const base = readLocation(words, 0);
  if (base === null) return null;
  const changes: LeafChange[] = [];
  for (let at = LOCATION_WORDS; at < words.length; at += CHANGE_WORDS) {
    changes.push({ entry: words[at] ?? 0, location: readLocation(words, at + 1) });
  }
  return { base, changes };
}

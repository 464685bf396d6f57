/**
 * The tag byte in front of each value. A graph is its root value, followed by the contents of every
 * object, Map, Set and array in the order in which they were first referred to; references are
 * indexes into that order. Objects of owned types are written inline, with their contents, where
 * they are referred to.
 *
 * Counts are varints: 7 bits per byte, lowest first. Texts are numbered from 0 in order of
 * appearance; after TEXTS_MAX of them numbering restarts, which bounds the memory of both sides.
 */
export const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  /** Followed by a varint. */
  integer: 4,
  /** Followed by -1 minus the number, as a varint. */
  negativeInteger: 5,
  /** Followed by 8 bytes, IEEE 754. */
  double: 6,
  /** Bigints of up to 53 bits, encoded like integers. */
  bigint: 7,
  negativeBigint: 8,
  /** Followed by the number of 64-bit words and the words of the magnitude, lowest first. */
  largeBigint: 9,
  largeNegativeBigint: 10,
  /** Followed by the length in bytes and UTF-8. */
  text: 11,
  /** Text with lone surrogates, followed by the length in bytes and UTF-16. */
  brokenText: 12,
  textAgain: 13,
  object: 14,
  array: 15,
  map: 16,
  set: 17,
  /** An object of a known shape. */
  reference: 18,
  /** Followed by type, number of keys and the keys as texts; then comes the object's own tag. */
  newShape: 19,
  /** Followed by the length and the bytes, at the first reference. */
  bytes: 20,
} as const;

export const TEXTS_MAX = 2 ** 22;

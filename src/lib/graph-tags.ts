/**
 * What a byte in front of a value says. A graph is its root value, then the contents of every
 * object, Map, Set and array in the order in which they were first referred to; references are
 * numbers in that order. Objects of owned kinds stand where they are referred to, contents and all.
 *
 * Counts are varints: 7 bits to the byte, lowest first. Texts are numbered from 0 as they come, until there
 * are TEXTS_MAX of them: then numbering begins anew, so that neither side remembers more.
 */
export const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  /** Then a varint. */
  integer: 4,
  /** Then -1 less the number, as a varint. */
  negativeInteger: 5,
  /** Then 8 bytes, IEEE 754. */
  double: 6,
  /** Bigints of up to 53 bits, as the integers. */
  bigint: 7,
  negativeBigint: 8,
  /** Then the count of 64-bit words and the words of the magnitude, lowest first. */
  largeBigint: 9,
  largeNegativeBigint: 10,
  /** Then the length in bytes and UTF-8. */
  text: 11,
  /** With lone surrogates: then the length in bytes and UTF-16. */
  brokenText: 12,
  textAgain: 13,
  object: 14,
  array: 15,
  map: 16,
  set: 17,
  /** Of a known shape. */
  reference: 18,
  /** Then kind, count of keys, keys as texts; what follows is the object's own tag. */
  newShape: 19,
  /** Then the length and the bytes themselves, where they are first referred to. */
  bytes: 20,
} as const;

export const TEXTS_MAX = 2 ** 22;

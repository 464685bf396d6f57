import type { DatabaseSync } from 'node:sqlite';
import { text } from '../sqlite/kind.ts';
import { prepareReader, type RowReader } from '../sqlite/prepare-all.ts';
import { singleValue } from '../sqlite/table-row.ts';

/**
 * Maximum distance of similar pictures: halving a picture, recompressing it or making it 5 %
 * brighter changes its hash by at most 6 bits, and hashes of different pictures differ in 16 or
 * more (S-21).
 */
export const SIMILAR_BITS_MAX = 6;

/**
 * Half the bits of a hash are normally ones, since each bit says whether a frequency is above the
 * median. In a picture with few frequencies, such as a gradient, most are equal and not above it:
 * such hashes are similar even when the pictures are not.
 */
const ONES_MIN = 24;

const PARTS = 4;
const PART_BITS = 16;
/** Maximum hashes with a shared part that are compared; an attacker may create many. */
const CANDIDATES_MAX = 20_000;
const NEAR_MAX = 256;

/** The four 16-bit parts of a hash of 16 hex digits. */
export function hashParts(hash64: string): [number, number, number, number] {
  const part = (at: number) => Number.parseInt(hash64.slice(at * 4, at * 4 + 4), 16);
  return [part(0), part(1), part(2), part(3)];
}

/** Bits in which two hashes differ. */
export function bitsApart(one: string, other: string): number {
  let bits = 0;
  for (let at = 0; at < 16; at += 8) {
    const left = Number.parseInt(one.slice(at, at + 8), 16);
    bits += onesOf((left ^ Number.parseInt(other.slice(at, at + 8), 16)) >>> 0);
  }
  return bits;
}

/** Whether a hash is distinctive enough to be compared with others. */
export function isDistinctive(hash64: string): boolean {
  return bitsApart(hash64, '0'.repeat(16)) >= ONES_MIN;
}

/**
 * Finds hashes within SIMILAR_BITS_MAX bits of a hash, the nearest first, by an index over their
 * parts: if two hashes differ in 6 bits, at least one of the four parts differs in at most one bit,
 * so looking up 17 values of each part finds all of them.
 */
export class PictureIndex {
  private readonly byPart: RowReader<string>[];

  constructor(database: DatabaseSync) {
    const placeholders = Array.from({ length: PART_BITS + 1 }, () => '?').join(', ');
    this.byPart = Array.from({ length: PARTS }, (_, part) =>
      prepareReader(
        database,
        singleValue(
          text,
          `SELECT hash64 FROM hashes WHERE part${part} IN (${placeholders}) LIMIT ${CANDIDATES_MAX}`,
        ),
      ),
    );
  }

  near(hash64: string): readonly { readonly hash64: string; readonly bits: number }[] {
    if (!isDistinctive(hash64)) return [];
    const found = new Map<string, number>();
    for (const [part, value] of hashParts(hash64).entries()) {
      const values = [value, ...Array.from({ length: PART_BITS }, (_, bit) => value ^ (1 << bit))];
      for (const other of this.byPart[part]?.iterate(...values) ?? []) {
        const bits = bitsApart(hash64, other);
        if (bits <= SIMILAR_BITS_MAX && isDistinctive(other)) found.set(other, bits);
      }
    }
    return [...found]
      .map(([other, bits]) => ({ hash64: other, bits }))
      .sort((one, other) => one.bits - other.bits || (one.hash64 < other.hash64 ? -1 : 1))
      .slice(0, NEAR_MAX);
  }
}

function onesOf(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

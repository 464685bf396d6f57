/**
 * Where a record lies, packed into two words of 32 bits. Offsets and sizes count units of 8 bytes.
 *
 * First word, from the highest bit: segment (26 bits), whether the record refers to
 * others (1), the upper 5 bits of the size. Second word: the lower 9 bits of the size, offset
 * (23). Segments are numbered from 1, so that two zeros mean "no record".
 */
export interface RecordLocation {
  readonly segment: number;
  readonly offsetBytes: number;
  /** Header, content and padding. */
  readonly sizeBytes: number;
  /** Whether the record refers to others: the pieces of larger content, or the base of a leaf. */
  readonly isIndirect: boolean;
}

export const UNIT_BYTES = 8;
export const LOCATION_WORDS = 2;
export const LOCATION_BYTES = 8;
export const SEGMENTS_MAX = 2 ** 26;
/** The largest offset of a record, exclusive. */
export const SEGMENT_BYTES_MAX = 2 ** 23 * UNIT_BYTES;
export const RECORD_BYTES_MAX = (2 ** 14 - 1) * UNIT_BYTES;

/** Reads the location at a word; null if there is none. */
export function readLocation(words: Uint32Array, at: number): RecordLocation | null {
  const high = words[at] ?? 0;
  if (high === 0) return null;
  const low = words[at + 1] ?? 0;
  return {
    segment: high >>> 6,
    offsetBytes: (low & 0x7f_ffff) * UNIT_BYTES,
    sizeBytes: (((high & 0x1f) << 9) | (low >>> 23)) * UNIT_BYTES,
    isIndirect: (high & 0x20) !== 0,
  };
}

/** Writes a location, or two zeros for none. */
export function writeLocation(
  words: Uint32Array,
  at: number,
  location: RecordLocation | null,
): void {
  if (location === null) {
    words[at] = 0;
    words[at + 1] = 0;
    return;
  }
  const size = location.sizeBytes / UNIT_BYTES;
  words[at] = (location.segment << 6) | (location.isIndirect ? 0x20 : 0) | (size >>> 9);
  words[at + 1] = (size << 23) | (location.offsetBytes / UNIT_BYTES);
}

/** Where a record begins. */
export type RecordOrigin = Pick<RecordLocation, 'segment' | 'offsetBytes'>;

/** Whether both begin at the same byte. */
export function isSameLocation(one: RecordOrigin | null, other: RecordOrigin): boolean {
  return one?.segment === other.segment && one.offsetBytes === other.offsetBytes;
}

/** Copies words out of bytes, in the byte order of all supported processors: lowest first. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

/** Reads a list of locations. */
export function locationsOf(bytes: Uint8Array): RecordLocation[] {
  const words = wordsOf(bytes);
  const locations: RecordLocation[] = [];
  for (let at = 0; at < words.length; at += LOCATION_WORDS) {
    const location = readLocation(words, at);
    if (location !== null) locations.push(location);
  }
  return locations;
}

/** The inverse of `locationsOf`. */
export function bytesOfLocations(locations: readonly RecordLocation[]): Uint8Array {
  const words = new Uint32Array(locations.length * LOCATION_WORDS);
  for (const [index, location] of locations.entries()) {
    writeLocation(words, index * LOCATION_WORDS, location);
  }
  return new Uint8Array(words.buffer);
}
